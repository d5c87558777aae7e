"""The output of a preprocessor, read: directives, lock calls, files and macros.

Line markers have the form of gcc's manual ("Preprocessor Output"): `# line "file" flags`, where
flag 1 enters a file, 2 returns to one, and 3 marks a system header.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property

from pomp_clang.frontend.c.macros import Macros
from pomp_clang.frontend.c.pragmas import bodies_of
from pomp_clang.frontend.inclusion import Inclusion
from pomp_clang.frontend.source import decoded, text_of
from pomp_clang.openmp.routines import ROUTINES
from pomp_clang.record import record

_MARKER = re.compile(r'# (\d+) "((?:[^"\\\n]|\\.)*)"((?: \d)*)')
_ENTERED = re.compile(rb'^# \d+ "((?:[^"\\\n]|\\.)*)" 1', re.MULTILINE)
_PRAGMA = re.compile(r"#[ \t]*pragma[ \t]+(omp|ompx|pomp)\b[ \t]*([^\n]*)")
_ATTRIBUTE = re.compile(r"\[\[(?=\s*(?:using\s+omp\b|omp\s*::))")
_RAW = re.compile(r'R"(?P<end>[^()\\\s"]{0,16})\([\s\S]*?\)(?P=end)"')
_PREFIX = re.compile(r"(?:\A|\W)(?:u8?|[UL])?\Z")
_HEAD = 100_000
"""Characters in which a compiler's name for its command line must stand."""
_ESCAPED = re.compile(r"\\(?:([0-7]{3})|(.))")


@record
class PreprocessedItem:
    """A directive or a lock call that the compiler reads outside of system headers.

    `file` and `line` are the compiler's names for its place, after #line. `opened` is the file that
    holds the text, `entry` the number of the time that the compiler entered a file. `text` is the
    directive behind its sentinel, or the routine's name. `at` is its offset in the output.
    """

    file: str
    line: int
    sentinel: str
    text: str
    opened: str
    entry: int
    at: int


@record
class Preprocessed:
    """The items of a unit that its compiler reads; `main` names the unit's own file."""

    main: str
    directives: tuple[PreprocessedItem, ...]
    routines: tuple[PreprocessedItem, ...]
    inclusions: tuple[Inclusion, ...]
    text: str
    defines: tuple[tuple[int, bool], ...]
    """The offsets of the #define lines in the text, and True for a line of a system header."""
    system_files: frozenset[str] = frozenset()
    """The system headers that hold a directive of OpenMP."""
    project_folders: tuple[str, ...] = ()
    """The folders of -isystem options whose headers count as the project's."""

    @property
    def is_empty(self) -> bool:
        """True if the unit has neither a directive nor a lock call."""
        return not self.directives and not self.routines

    @property
    def files(self) -> frozenset[str]:
        """The files that hold a directive or a lock call."""
        return frozenset(seen.opened for seen in (*self.directives, *self.routines))

    @cached_property
    def macros(self) -> Macros:
        """Every macro that was defined at some time."""
        return Macros(self.text, self.defines)


def read_output(
    text: str, main: str, stdin: str, project_folders: tuple[str, ...] = ()
) -> Preprocessed:
    """Read the output of `-E -dD` for a unit whose own file is `main`; `stdin` is the name to
    show for a file that the compiler read from its standard input.

    Headers in `project_folders` count as the project's, though they are system headers.
    """
    scan = _OutputScanner(text, main, stdin, project_folders)
    routines = tuple(scan.routines())
    directives = (*scan.directives, *scan.attributes())
    return Preprocessed(
        main,
        directives,
        routines,
        tuple(scan.inclusions),
        text,
        tuple(scan.defines),
        frozenset(scan.system_files),
        project_folders,
    )


def holds_nothing(text: str) -> bool:
    """Return True if such an output certainly has no directive, in system headers neither, and no
    lock call outside of them.

    A scan of the output takes ten times as long.
    """
    if _PRAGMA.search(text) or (_ATTRIBUTE.search(text) and "omp" in text):
        return False
    return all(_stands_in_system_header(text, at) for name in ROUTINES for at in _words(text, name))


def _stands_in_system_header(text: str, at: int) -> bool:
    marker = _MARKER.match(text, text.rfind("\n# ", 0, at) + 1)
    return marker is not None and "3" in marker.group(3)


def entered_files(output: bytes) -> list[str]:
    """Return the names of the files that the preprocessor entered, each once."""
    names = dict.fromkeys(match.group(1) for match in _ENTERED.finditer(output))
    return [decoded(_ESCAPED.sub(_unescaped, text_of(name))) for name in names if name[:1] != b"<"]


class _OutputScanner:
    def __init__(
        self, text: str, main: str, stdin: str, project_folders: Sequence[str] = ()
    ) -> None:
        self._text = text
        self._project = tuple(f"{folder.rstrip('/')}/" for folder in project_folders)
        self.system_files: set[str] = set()
        self.directives: list[PreprocessedItem] = []
        self.inclusions: list[Inclusion] = []
        self.defines: list[tuple[int, bool]] = []
        self._at: list[int] = [-1]
        """The offsets of the markers; the lists below have an element for each marker."""
        self._first: list[int] = [1]
        """The line that a marker gives the text behind it, less the line breaks before that."""
        self._file: list[str] = [stdin]
        self._system: list[bool] = [False]
        self._entry: list[int] = [0]
        self._opened: list[str] = [main]
        """The file of each entry."""
        self._stack: list[int] = [0]
        self._raw = list(_raw_strings(text))
        # clang's output has the lines of a raw string, and its line numbers do not count them.
        uncounted = self._raw if '"<command line>"' in text[:_HEAD] else ()
        self._breaks = _Breaks(text, uncounted)
        self._names = {"<stdin>": stdin}
        self._read()

    def _read(self) -> None:
        text = self._text
        start = 0 if text.startswith("#") else text.find("\n#") + 1
        while start or text.startswith("#"):
            mark = text[start + 1 : start + 2]
            if mark == " ":
                self._marker(start)
            elif mark == "d":
                self.defines.append((start, self._system[-1]))
            elif mark == "p":
                self._pragma(start)
            following = text.find("\n#", start)
            if following < 0:
                return
            start = following + 1

    def _pragma(self, start: int) -> None:
        match = _PRAGMA.match(self._text, start)
        if match is None:
            return
        if self._system[-1]:
            if match.group(1) == "omp":
                self.system_files.add(self._file[-1])
        elif not self._is_quoted(start):
            body = " ".join(match.group(2).split())
            self.directives.append(self._seen(-1, start, match.group(1), body))

    def _marker(self, start: int) -> None:
        match = _MARKER.match(self._text, start)
        if match is None:
            return
        file, flags = self._name(match.group(2)), match.group(3)
        system = "3" in flags and not (self._project and file.startswith(self._project))
        if "1" in flags:
            if not system and not file.startswith("<"):
                self._enter(file, start)
            self._opened.append(file)
            self._stack.append(len(self._opened) - 1)
        elif "2" in flags and len(self._stack) > 1:
            self._stack.pop()
        self._at.append(start)
        self._first.append(int(match.group(1)) - self._breaks.before(match.end() + 1))
        self._file.append(file)
        self._system.append(system)
        self._entry.append(self._stack[-1])

    def _enter(self, file: str, start: int) -> None:
        includer = self._opened[self._stack[-1]]
        named_includer = "" if self._file[-1].startswith("<") else includer
        self.inclusions.append(Inclusion(file, named_includer, self._line_of(-1, start), 0))

    def _name(self, escaped: str) -> str:
        name = self._names.get(escaped)
        if name is None:
            name = self._names[escaped] = decoded(_ESCAPED.sub(_unescaped, escaped))
        return name

    def _line_of(self, marker: int, at: int) -> int:
        return self._first[marker] + self._breaks.before(at)

    def _is_quoted(self, at: int) -> bool:
        """Return True if a raw string holds the text at an offset."""
        before = bisect_left(self._raw, (at,)) - 1
        return before >= 0 and at < self._raw[before][1]

    def _seen(self, marker: int, at: int, sentinel: str, text: str) -> PreprocessedItem:
        entry = self._entry[marker]
        line = self._line_of(marker, at)
        return PreprocessedItem(
            self._file[marker], line, sentinel, text, self._opened[entry], entry, at
        )

    def _users(self, at: int) -> int | None:
        """Return the marker before an offset, or None in a system header or a #define."""
        marker = bisect_right(self._at, at) - 1
        line = self._text.rfind("\n", 0, at) + 1
        return None if self._system[marker] or self._text[line : line + 1] == "#" else marker

    def routines(self) -> Iterator[PreprocessedItem]:
        """Yield the names of lock routines outside of system headers."""
        for name in ROUTINES:
            for at in _words(self._text, name):
                marker = self._users(at)
                if marker is not None:
                    yield self._seen(marker, at, "", name)

    def attributes(self) -> Iterator[PreprocessedItem]:
        """Yield the directives that are written as attributes."""
        if "omp" not in self._text:
            return
        at = self._text.find("[[")
        while at >= 0:
            if _ATTRIBUTE.match(self._text, at):
                marker = self._users(at)
                if marker is not None:
                    for body in bodies_of(self._text, at):
                        yield self._seen(marker, at, "omp", body)
            at = self._text.find("[[", at + 2)


class _Breaks:
    """The line breaks of a text outside the `uncounted` extents.

    Counting goes on from the offset of the last query: a unit may have no marker for 100,000
    lines.
    """

    def __init__(self, text: str, uncounted: Sequence[tuple[int, int]]) -> None:
        self._text = text
        self._uncounted = uncounted
        self._restart()

    def _restart(self) -> None:
        self._at = self._count = self._passed = 0

    def before(self, at: int) -> int:
        """Return the number of line breaks before an offset.

        The call is slow if the last offset was behind this one.
        """
        if at < self._at:
            self._restart()
        self._count += self._text.count("\n", self._at, at)
        self._at = at
        while self._passed < len(self._uncounted) and self._uncounted[self._passed][1] <= at:
            self._count -= self._text.count("\n", *self._uncounted[self._passed])
            self._passed += 1
        return self._count


def _raw_strings(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each raw string of several lines begins and ends."""
    at = text.find('R"')
    while at >= 0:
        match = _RAW.match(text, at)
        if match and "\n" in match.group() and _PREFIX.search(text, max(0, at - 3), at):
            yield match.span()
            at = match.end() - 2
        at = text.find('R"', at + 2)


def _words(text: str, name: str) -> Iterator[int]:
    at = text.find(name)
    while at >= 0:
        around = text[at - 1 : at] + text[at + len(name) : at + len(name) + 1]
        if not any(character.isalnum() or character == "_" for character in around):
            yield at
        at = text.find(name, at + len(name))


def _unescaped(match: re.Match[str]) -> str:
    digits = match.group(1)
    return text_of(bytes([int(digits, 8)])) if digits else match.group(2)
