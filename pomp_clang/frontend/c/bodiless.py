"""Headers of the project whose function bodies a parse of C++ may skip.

libclang skips the bodies in system headers. The compiler's preprocessor tells which of the
project's headers hold a directive or a lock call, and which include such a header: that may be
within a function. The bodies of all others tell nothing. An option of clang makes a system header
of each, by the name that an #include directive has for it.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from pomp_clang.frontend.c.preprocessed import Preprocessed
from pomp_clang.frontend.inclusion import folders
from pomp_clang.record import record

_OPTION = "--system-header-prefix="


@record
class BodilessHeaders:
    """The headers: `paths` are the compiler's names for them, `options` are for libclang."""

    paths: frozenset[str] = frozenset()
    options: tuple[str, ...] = ()

    def names(self, path: str) -> bool:
        """Return True if a path is one of a header among these, which libclang may name otherwise."""
        if path in self.paths:
            return True
        others = _by_name(self.paths).get(os.path.basename(path), ())
        return any(os.path.realpath(other) == os.path.realpath(path) for other in others)


@lru_cache(maxsize=1)
def _by_name(paths: frozenset[str]) -> dict[str, list[str]]:
    """Return the paths by the file's name without its folder."""
    by_name: dict[str, list[str]] = {}
    for path in paths:
        by_name.setdefault(os.path.basename(path), []).append(path)
    return by_name


def bodiless_headers(
    preprocessed: Preprocessed,
    arguments: Sequence[str],
    has_functions: Callable[[str], bool] = lambda path: False,
) -> BodilessHeaders:
    """Return the headers of a unit without constructs, and without functions that are needed.

    `arguments` are those of libclang.
    """
    includers: dict[str, set[str]] = {}
    for way in preprocessed.inclusions:
        includers.setdefault(way.path, set()).add(way.includer)
    kept = {*preprocessed.files, *filter(has_functions, includers)}
    pending = list(kept)
    while pending:
        more = includers.get(pending.pop(), set()) - kept
        kept |= more
        pending += more
    paths = frozenset(includers) - kept
    return BodilessHeaders(paths, tuple(_options(paths, kept & includers.keys(), arguments)))


def _options(paths: Iterable[str], kept: Iterable[str], arguments: Sequence[str]) -> Iterator[str]:
    """Yield an option for each name of a header that is not the begin of one of the `kept` ones."""
    ends = sorted({end for path in kept for end in _ends(path)})
    places = [f"{folder.rstrip('/')}/" for folder in dict.fromkeys(folders(arguments))]
    for path in sorted(paths):
        for place in places:
            name = path.removeprefix(place)
            if name == path:
                continue
            after = bisect_left(ends, name)
            if after == len(ends) or not ends[after].startswith(name):
                yield _OPTION + name


def _ends(path: str) -> Iterator[str]:
    """Yield the names by which an #include directive may ask for a file."""
    while path:
        yield path
        _, _, path = path.partition("/")
