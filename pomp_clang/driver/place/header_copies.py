"""Copies of rewritten headers for gcc, and texts that include these copies.

Every file between a source and such a header has a copy too. A copy includes the files beside its
original through a link to the working directory: once the link's name is removed, the names are
relative again. A folder on gcc's search path would be one for the quoted names of all headers.

Copies stand under their originals' names in folders of their own. One prefix map for a folder then
gives gcc the names of all originals. A map of each copy would be too long: gcc's driver passes its
options on in one word of limited size.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence

from pomp_clang.driver.place.gcc_copy import (
    BOM,
    MAPS,
    Copy,
    like,
    line_directive,
    needs_line,
    spelt,
)
from pomp_clang.frontend.inclusion import redirected, searched_for_quoted, system_folders
from pomp_clang.frontend.quoted_includes import asked_beside, includes_beside, with_whole_includes
from pomp_clang.frontend.source import bytes_of
from pomp_clang.frontend.unit import Include, RewrittenHeader


class HeaderCopies:
    """The copies of one source's headers, inside `folder`, a private one.

    `includes` are the directives of the source.
    """

    def __init__(
        self,
        folder: str,
        headers: Sequence[RewrittenHeader],
        includes: Sequence[Include],
        user_args: Sequence[str],
    ) -> None:
        self._headers = headers
        self._user_args = user_args
        self._here = os.path.join(folder, "here")
        self._by_path = {header.path: header for header in headers}
        self._system = self._in_system_folders(includes)
        self._mirror = Mirror(folder, user_args)
        self._places = {
            header.path: self._mirror.place(header.spelt, header.path) for header in headers
        }
        self._links: dict[str, str] = {}
        self._uses_here = False

    def write(self) -> list[Copy]:
        """Write the copies, after the source's text is redirected.  Raises OSError."""
        for header in self._headers:
            data = bytes_of(self.redirected(header.text, header.spelt, header.includes))
            place = self._places[header.path]
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "wb") as file:
                file.write(self._first_lines(header))
                file.write(data.removeprefix(BOM))
            like(place, header.path)
        for link, place in self._links.items():
            os.makedirs(os.path.dirname(link), exist_ok=True)
            if not os.path.exists(link):
                os.symlink(place, link)
        system = [
            Copy(header.spelt, self._places[header.path], (), is_system=True)
            for header in self._headers
            if header.path in self._system
        ]
        here = []
        if self._uses_here:
            os.symlink(os.getcwd(), self._here)
            here = [_folder_copy(f"{self._here}/", self._user_args)]
        return [*system, *here, *self._mirror.copies()]

    def _in_system_folders(self, includes: Sequence[Include]) -> set[str]:
        """Return the paths of the headers that gcc finds in folders of -isystem.

        A header that is found beside its includer is what the includer is.
        """
        folders = tuple(f"{folder.rstrip('/')}/" for folder in system_folders(self._user_args))
        is_system: dict[str, bool] = {}
        pending = deque((include, False) for include in includes)
        while pending:
            include, is_beneath = pending.popleft()
            if include.path in is_system:
                continue
            in_folder = is_beneath if include.beside else include.spelt.startswith(folders)
            is_system[include.path] = in_folder
            header = self._by_path.get(include.path)
            pending += ((inner, in_folder) for inner in (header.includes if header else ()))
        return {path for path, in_folder in is_system.items() if in_folder}

    def _first_lines(self, header: RewrittenHeader) -> bytes:
        """Return what a copy begins with; a header in a folder of -isystem has no warnings."""
        if header.path in self._system:
            return b'#pragma GCC system_header\n#line 1 "%s"\n' % spelt(header.spelt)
        return line_directive(header.spelt, self._user_args)

    def redirected(self, text: str, path: str, includes: Sequence[Include]) -> str:
        """Return the text of the file `path`, from elsewhere: with copies included where there are
        any, and the files beside it.  Raises OSError."""
        # Where no option maps names, a link's name would stand in the output.
        is_mapped = "-I-" not in self._user_args and not needs_line(self._user_args)
        text = with_whole_includes(text)
        beside = includes_beside(text, path) if is_mapped else []
        text = redirected(text, [*beside, *includes], self._instead)
        with_paths = asked_beside(text, path, self._here)
        self._uses_here |= with_paths != text
        return with_paths

    def forced(self, name: str) -> str:
        """Return the copy that an -include option with this name means, or "". It is searched in the
        options' folders, or else by its name: a variable may have folders, too."""
        folders = searched_for_quoted(self._user_args)
        candidates = (name, *(os.path.join(folder, name) for folder in folders))
        header = next(filter(os.path.isfile, candidates), "")
        real = os.path.realpath(header)
        for path, place in self._places.items():
            if os.path.realpath(path) == real if header else path.endswith(f"/{name}"):
                return place
        return ""

    def _instead(self, include: Include) -> str:
        """Return the path that a copy includes: one for each name of a header, as gcc keeps them apart.

        Files that a macro names are beside the copy.
        """
        header = self._by_path.get(include.path)
        if include.varies:
            if header is None and include.beside:
                link = self._mirror.place(include.spelt, include.path)
                self._links[link] = os.path.abspath(include.path)
            return ""
        if header is not None and header.spelt == include.spelt:
            return self._places[include.path]
        if header is not None:
            link = self._mirror.place(include.spelt, include.path)
            self._links[link] = self._places[include.path]
            return link
        if not include.beside:
            return ""
        self._uses_here |= not os.path.isabs(include.spelt)
        return os.path.join(self._here, include.spelt)


class Mirror:
    """The places of copies beneath `folder`, a private one, for a command's `user_args`."""

    def __init__(self, folder: str, user_args: Sequence[str]) -> None:
        self._folder = folder
        self._user_args = user_args
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
        """Return the root of a name, as deep as the name's `..` may lead out of it."""
        ups = spelt.split("/").count("..")
        root = os.path.join(self._folder, f"names{turn}.{ups}", *map(str, range(ups)))
        return f"{root}.absolute" if os.path.isabs(spelt) else f"{root}/"

    def copies(self) -> list[Copy]:
        """Return the roots, each as a copy of what its names begin with."""
        return [_folder_copy(root, self._user_args) for root in self._roots]


def _folder_copy(root: str, user_args: Sequence[str]) -> Copy:
    """Return a folder with the options that make gcc omit it from names.

    A folder before relative names ends in a slash.
    """
    if root.endswith("/"):
        return Copy("", root, tuple(_maps(root, user_args, absolute=False)))
    return Copy("/", f"{root}/", tuple(_maps(root, user_args, absolute=True)))


def _maps(root: str, user_args: Sequence[str], absolute: bool) -> Iterator[str]:
    """Yield the maps of a root, then the user's own maps as they are for names behind the root.

    gcc tries -ffile-prefix-map before -fmacro-prefix-map, wherever they stand: none is used here.
    """
    for kind in MAPS:
        yield f"-f{kind}-prefix-map={root}="
        for word in user_args:
            if word.startswith(("-ffile-prefix-map=", f"-f{kind}-prefix-map=")):
                old, _, new = word.partition("=")[2].partition("=")
                if not old or os.path.isabs(old) == absolute:
                    yield f"-f{kind}-prefix-map={root}{old}={new}"
