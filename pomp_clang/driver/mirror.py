"""Folders in which copies stand under their originals' names.

One prefix map for a folder then gives gcc the names of all originals. gcc's driver hands
its options on in one word, which the system bounds: a map for each copy would not fit.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from pomp_clang.driver.gcc_copy import MAPS, Copy


class Mirror:
    """The places of copies beneath `folder`, a private one; `given` are the user's arguments."""

    def __init__(self, folder: str, given: Sequence[str]) -> None:
        self._folder = folder
        self._given = given
        self._roots: dict[str, None] = {}
        self._taken: dict[str, str] = {}

    def place(self, spelt: str, path: str) -> str:
        """Return the place of the file `path` under one of its names.

        Two files may have one place where a folder of a name is a symbolic link: the second
        stands beneath another root.
        """
        turn = 0
        while self._taken.setdefault(self._normal(spelt, turn), path) != path:
            turn += 1
        root = self._root(spelt, turn)
        self._roots[root] = None
        return root + spelt

    def _normal(self, spelt: str, turn: int) -> str:
        return os.path.normpath(self._root(spelt, turn) + spelt)

    def _root(self, spelt: str, turn: int) -> str:
        """Return what a name is put behind, as deep as the name may lead out of it."""
        ups = spelt.split("/").count("..")
        root = os.path.join(self._folder, f"names{turn}.{ups}", *map(str, range(ups)))
        return f"{root}.absolute" if os.path.isabs(spelt) else f"{root}/"

    def copies(self) -> list[Copy]:
        """Return the roots, each as a copy of what its names begin with."""
        return [folder_copy(root, self._given) for root in self._roots]


def folder_copy(root: str, given: Sequence[str]) -> Copy:
    """Return a folder with what makes gcc leave it out of names: it ends in a slash if what is
    behind it is a relative name."""
    if root.endswith("/"):
        return Copy("", root, tuple(_maps(root, given, absolute=False)))
    return Copy("/", f"{root}/", tuple(_maps(root, given, absolute=True)))


def _maps(root: str, given: Sequence[str], absolute: bool) -> Iterator[str]:
    """Yield the maps of a root, then the user's own maps as they are for names behind the root.

    gcc tries -ffile-prefix-map before -fmacro-prefix-map, wherever they stand: none is used here.
    """
    for kind in MAPS:
        yield f"-f{kind}-prefix-map={root}="
        for word in given:
            if word.startswith(("-ffile-prefix-map=", f"-f{kind}-prefix-map=")):
                old, _, new = word.partition("=")[2].partition("=")
                if not old or os.path.isabs(old) == absolute:
                    yield f"-f{kind}-prefix-map={root}{old}={new}"
