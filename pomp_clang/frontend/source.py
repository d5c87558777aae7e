"""The text of a source file under its name: its bytes as characters, lines, columns, and extents.

Bytes beyond ASCII are parts of identifiers or of literals to a compiler, in whatever encoding.
So they become letters, which no pattern, strip or split takes for a blank. Latin-1's second
half has both blanks and marks.

Many files in few folders have their real paths from `RealPaths`.
"""

from __future__ import annotations

import codecs
import os
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, pairwise

from pomp_clang.record import record


@record
class SourceText:
    """A file's text under its name.

    An index into the text is a byte offset (see `text_of`). `moved` has (offset, columns) in the
    order of the offsets: on its line, the text behind the offset stands that number of columns
    further to the right than in the user's file.
    """

    path: str
    text: str
    moved: tuple[tuple[int, int], ...] = ()

    @cached_property
    def _starts(self) -> list[int]:
        return [0] + [m.end() for m in re.finditer(r"\n", self.text)]

    @cached_property
    def _shifts(self) -> list[int]:
        return [0, *accumulate(columns for _, columns in self.moved)]

    @cached_property
    def _renumbered(self) -> list[tuple[int, int, str]]:
        return list(self.line_directives())

    def line_directives(self) -> Iterator[tuple[int, int, str]]:
        """Yield the line of each directive that renumbers the lines behind it, the number of
        the next one, and its file: none in a language without such directives."""
        yield from ()

    def physical_line(self, offset: int) -> int:
        """Return the line that holds `offset`, from 1, whatever #line says."""
        return bisect_right(self._starts, offset)

    def line_start(self, offset: int) -> int:
        """Return the offset at which the line of `offset` begins."""
        return self._starts[self.physical_line(offset) - 1]

    def next_line(self, offset: int) -> int:
        """Return the offset at which the next line begins, or the end of the text."""
        line = self.physical_line(offset)
        return self._starts[line] if line < len(self._starts) else len(self.text)

    def column(self, offset: int) -> int:
        """Return the column of `offset`, from 1, in bytes, as the user wrote it."""
        start = self.line_start(offset)
        first = bisect_left(self.moved, (start,))
        last = bisect_left(self.moved, (offset + 1,))
        return offset - start - (self._shifts[last] - self._shifts[first]) + 1

    def place(self, offset: int) -> tuple[str, int]:
        """Return file and line of `offset` as the compiler names them (#line counts)."""
        line = self.physical_line(offset)
        at = bisect_right(self._renumbered, (line - 1, 1 << 60, "")) - 1
        if at < 0:
            return self.path, line
        directive, number, path = self._renumbered[at]
        return path, number + line - directive - 1

    def line(self, offset: int) -> int:
        """Return the line of `offset` as the compiler names it."""
        return self.place(offset)[1]

    def origin(self, offset: int) -> tuple[str, int]:
        """Return the file and line that the user wrote for `offset`: its place, unless a program wrote
        the text and says from what."""
        return self.place(offset)

    def origin_line(self, offset: int, first: tuple[str, int]) -> int:
        """Return the line that the user wrote for `offset`, at the end of what begins at `first`."""
        return self.line(offset)


@record
class Extent:
    """Offsets into the text: start of the first character, one past the last."""

    start: int
    end: int

    def __contains__(self, other: Extent) -> bool:
        return self.start <= other.start and other.end <= self.end


class OffsetRanges:
    """Extents (start, end), which may overlap, numbered in the order given.

    A query takes the time of a binary search, and of the extents that hold the offset.
    """

    __slots__ = (
        "_by_end", "_by_start", "_disjoint", "_ends", "_furthest", "_in_order", "_last", "_starts",
    )  # fmt: skip

    def __init__(self, extents: Iterable[tuple[int, int]]) -> None:
        ordered = list(extents)
        numbers = range(len(ordered))
        self._in_order = all(one[0] <= other[0] for one, other in pairwise(ordered))
        self._by_start = numbers if self._in_order else sorted(numbers, key=lambda n: ordered[n][0])
        self._starts = [ordered[number][0] for number in self._by_start]
        self._ends = [ordered[number][1] for number in self._by_start]
        self._furthest = list(accumulate(self._ends, max))
        self._disjoint: bool | None = None
        # Among extents that end together, the first given is the last here.
        self._by_end = sorted(numbers, key=lambda n: (ordered[n][1], -n))
        self._last = [ordered[number][1] for number in self._by_end]

    @property
    def is_disjoint(self) -> bool:
        """True if no two of them overlap."""
        if self._disjoint is None:
            neighbors = zip(self._furthest, self._starts[1:], strict=False)
            self._disjoint = all(end <= start for end, start in neighbors)
        return self._disjoint

    def first_around(self, offset: int) -> int | None:
        """Return the first given range that begins before the offset and ends behind it."""
        limit = bisect_left(self._starts, offset)
        if self._in_order:
            # The first to take the furthest end beyond the offset is itself what ends there.
            at = bisect_right(self._furthest, offset, 0, limit)
            return at if at < limit else None
        return min(self._back(limit, offset), default=None)

    def around(self, offset: int) -> list[int]:
        """Return the ranges that begin before the offset and end behind it, in the order given."""
        return sorted(self._back(bisect_left(self._starts, offset), offset))

    def holding(self, offset: int) -> list[int]:
        """Return the ranges that contain the character at the offset, in the order given."""
        return sorted(self._back(bisect_right(self._starts, offset), offset))

    def ended(self, offset: int) -> int | None:
        """Return the last to end at the offset or before it; of several the first given."""
        at = bisect_right(self._last, offset)
        return self._by_end[at - 1] if at else None

    def beginning(self, offset: int) -> Iterator[int]:
        """Yield the ranges that begin at the offset or behind it, in the order of their starts."""
        for at in range(bisect_left(self._starts, offset), len(self._starts)):
            yield self._by_start[at]

    def depth(self, offset: int) -> int:
        """Return how many hold the character at the offset."""
        return bisect_right(self._starts, offset) - bisect_right(self._last, offset)

    def _back(self, limit: int, offset: int) -> Iterator[int]:
        for at in range(limit - 1, -1, -1):
            if self._furthest[at] <= offset:
                break
            if self._ends[at] > offset:
                yield self._by_start[at]


_LETTERS = 0xAC00
"""From here on Unicode has nothing but letters that have no case and are no digits (Hangul)."""

_DECODING = "".join(chr(byte if byte < 128 else _LETTERS + byte) for byte in range(256))
_ENCODING = codecs.charmap_build(_DECODING)

IDENTIFIER = r"[^\W\d]\w*"
"""The pattern of an identifier in such a text."""


def text_of(data: bytes) -> str:
    """Decode bytes to a text of the same length."""
    if data.isascii():
        return data.decode("ascii")
    return codecs.charmap_decode(data, "strict", _DECODING)[0]


def bytes_of(text: str) -> bytes:
    """Encode such a text as the bytes that it stands for."""
    if text.isascii():
        return text.encode("ascii")
    return codecs.charmap_encode(text, "strict", _ENCODING)[0]


def decoded(text: str) -> str:
    """Return a name in such a text as the file system and libclang have it."""
    return bytes_of(text).decode("utf-8", "surrogateescape")


def encoded(name: str) -> str:
    """Return a name of the file system as it stands in such a text."""
    return text_of(name.encode("utf-8", "surrogateescape"))


def mapped(path: str, prefix_maps: Sequence[str]) -> str:
    """Return a file's name after maps "old=new" of its begin; the last that matches wins."""
    for old, _, new in (entry.partition("=") for entry in reversed(prefix_maps)):
        if path.startswith(old):
            return new + path[len(old) :]
    return path


class RealPaths:
    """The real paths of files; each folder is resolved once."""

    def __init__(self) -> None:
        self._folders: dict[str, str] = {}

    def of(self, path: str) -> str:
        """Return the real path, as `os.path.realpath` does."""
        folder, name = os.path.split(path)
        if name in ("", ".", "..") or os.path.islink(path):
            return os.path.realpath(path)
        return os.path.join(self._folder(folder), name)

    def _folder(self, folder: str) -> str:
        if folder not in self._folders:
            parent, name = os.path.split(folder)
            is_plain = parent and name not in ("", ".", "..") and not os.path.islink(folder)
            self._folders[folder] = (
                os.path.join(self._folder(parent), name) if is_plain else os.path.realpath(folder)
            )
        return self._folders[folder]
