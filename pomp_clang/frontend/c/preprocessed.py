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
from pomp_clang.openmp.pomp_api import ROUTINES
from pomp_clang.record import record

_MARKER = re.compile(r'# (\d+) "((?:[^"\\\n]|\\.)*)"((?: \d)*)')
_ENTERED = re.compile(rb'^# \d+ "((?:[^"\\\n]|\\.)*)" 1', re.MULTILINE)
_PRAGMA = re.compile(r"#[ \t]*pragma[ \t]+(omp|ompx|pomp)\b[ \t]*([^\n]*)")
_ATTRIBUTE = re.compile(r"\[\[(?=\s*(?:using\s+omp\b|omp\s*::))")
_RAW = re.compile(r'R"(?P<end>[^()\\\s"]{0,16})\([\s\S]*?\)(?P=end)"')
_PREFIX = re.compile(r"(?:\A|\W)(?:u8?|[UL])?\Z")
_ROUTINE = re.compile(rf"(?:{'|'.join(ROUTINES)})(?!\w)")
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
    system_files: frozenset[str] = frozenset()
    """The system headers that hold a directive of OpenMP."""
    project_folders: tuple[str, ...] = ()
    """The folders of -isystem options whose headers count as the project's."""
    turns: tuple[int, ...] = ()
    """The offsets of the markers that enter a file or return to one."""

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
        scan = _OutputScanner(self.text, self.main, self.main, self.project_folders)
        return Macros(self.text, scan.is_in_system_header)


def read_output(
    text: str,
    main: str,
    stdin: str,
    project_folders: tuple[str, ...] = (),
    attributes: bool = True,
) -> Preprocessed:
    """Read the output of `-E -dD` for a unit whose own file is `main`; `stdin` is the name to
    show for a file that the compiler read from its standard input.

    Headers in `project_folders` count as the project's, though they are system headers. The
    compiler heeds directives that are `attributes`, or not.
    """
    scan = _OutputScanner(text, main, stdin, project_folders)
    scan.read_turns()
    routines = tuple(scan.routines())
    directives = (*scan.directives(), *(scan.attributes() if attributes else ()))
    return Preprocessed(
        main,
        directives,
        routines,
        tuple(scan.inclusions),
        text,
        frozenset(scan.system_files),
        project_folders,
        scan.turns,
    )


def holds_nothing(text: str) -> bool:
    """Return True if such an output certainly has no directive, in system headers neither, and no
    lock call outside of them.

    A scan of the output takes ten times as long.
    """
    if any(_PRAGMA.match(text, at) for at in _occurrences(text, "#pragma")):
        return False
    if "omp" in text and any(_ATTRIBUTE.match(text, at) for at in _occurrences(text, "[[")):
        return False
    return all(_stands_in_system_header(text, at) for _, at in _routines(text))


def _stands_in_system_header(text: str, at: int) -> bool:
    marker = _MARKER.match(text, text.rfind("\n# ", 0, at) + 1)
    return marker is not None and "3" in marker.group(3)


def entered_files(output: bytes) -> list[str]:
    """Return the names of the files that the preprocessor entered, each once."""
    names = dict.fromkeys(match.group(1) for match in _ENTERED.finditer(output))
    return [decoded(_ESCAPED.sub(_unescaped, text_of(name))) for name in names if name[:1] != b"<"]


class _OutputScanner:
    """The items of an output, and the places of its markers.

    Most markers only count lines, and a unit may have 40,000. So the scan reads those that enter a
    file or return to one, and the last one before each item.
    """

    def __init__(
        self, text: str, main: str, stdin: str, project_folders: Sequence[str] = ()
    ) -> None:
        self._text = text
        self._project = tuple(f"{folder.rstrip('/')}/" for folder in project_folders)
        self.system_files: set[str] = set()
        self.inclusions: list[Inclusion] = []
        self._turns: list[int] = [-1]
        """The offsets of the markers that enter a file or return to one."""
        self._entry: list[int] = [0]
        """The number of the file's entry behind each of them."""
        self._opened: list[str] = [main]
        """The file of each entry."""
        self._raw = list(_raw_strings(text))
        # clang's output has the lines of a raw string, and its line numbers do not count them.
        uncounted = self._raw if '"<command line>"' in text[:_HEAD] else ()
        self._breaks = _Breaks(text, uncounted)
        self._markers = _Markers(text)
        self._first: dict[int, int] = {}
        """The line that a marker gives the text behind it, less the line breaks before that."""
        self._stdin = stdin
        self._names = {"<stdin>": stdin}

    def read_turns(self) -> None:
        """Read the markers that enter a file or return to one."""
        text, stack = self._text, [0]
        for quote in sorted((*_occurrences(text, '" 1'), *_occurrences(text, '" 2'))):
            start = text.rfind("\n", 0, quote) + 1
            match = _MARKER.match(text, start)
            if match is None or match.end(2) != quote:
                continue
            file, flags = self._name(match.group(2)), match.group(3)
            if "1" in flags:
                if not self._is_system(match) and not file.startswith("<"):
                    self._enter(file, start, self._opened[stack[-1]])
                self._opened.append(file)
                stack.append(len(self._opened) - 1)
            elif len(stack) > 1:
                stack.pop()
            self._turns.append(start)
            self._entry.append(stack[-1])

    @property
    def turns(self) -> tuple[int, ...]:
        """The offsets of the markers that enter a file or return to one."""
        return tuple(self._turns[1:])

    def _enter(self, file: str, start: int, includer: str) -> None:
        marker = self._markers.before(start)
        if self._file(marker).startswith("<"):
            includer = ""
        self.inclusions.append(Inclusion(file, includer, self._line_of(marker, start), 0))

    def directives(self) -> Iterator[PreprocessedItem]:
        """Yield the directives that are written as pragmas, and keep the system headers with some."""
        for start in _occurrences(self._text, "#pragma"):
            match = _PRAGMA.match(self._text, start)
            if match is None or (start and self._text[start - 1] != "\n"):
                continue
            marker = self._markers.before(start)
            if self._is_system(marker):
                if match.group(1) == "omp":
                    self.system_files.add(self._file(marker))
            elif not self._is_quoted(start):
                body = " ".join(match.group(2).split())
                yield self._seen(marker, start, match.group(1), body)

    def _is_system(self, marker: re.Match[str] | None) -> bool:
        if marker is None or "3" not in marker.group(3):
            return False
        return not (self._project and self._file(marker).startswith(self._project))

    def _file(self, marker: re.Match[str] | None) -> str:
        return self._name(marker.group(2)) if marker is not None else self._stdin

    def _name(self, escaped: str) -> str:
        name = self._names.get(escaped)
        if name is None:
            name = self._names[escaped] = decoded(_ESCAPED.sub(_unescaped, escaped))
        return name

    def _line_of(self, marker: re.Match[str] | None, at: int) -> int:
        if marker is None:
            return 1 + self._breaks.before(at)
        first = self._first.get(marker.start())
        if first is None:
            first = int(marker.group(1)) - self._breaks.before(marker.end() + 1)
            self._first[marker.start()] = first
        return first + self._breaks.before(at)

    def _is_quoted(self, at: int) -> bool:
        """Return True if a raw string holds the text at an offset."""
        before = bisect_left(self._raw, (at,)) - 1
        return before >= 0 and at < self._raw[before][1]

    def _seen(
        self, marker: re.Match[str] | None, at: int, sentinel: str, text: str
    ) -> PreprocessedItem:
        entry = self._entry[bisect_right(self._turns, at) - 1]
        line = self._line_of(marker, at)
        return PreprocessedItem(
            self._file(marker), line, sentinel, text, self._opened[entry], entry, at
        )

    def _of_user(self, at: int, sentinel: str, text: str) -> Iterator[PreprocessedItem]:
        """Yield the item at an offset, unless that is in a system header or a directive."""
        line = self._text.rfind("\n", 0, at) + 1
        if self._text[line : line + 1] != "#":
            marker = self._markers.before(at)
            if not self._is_system(marker):
                yield self._seen(marker, at, sentinel, text)

    def routines(self) -> Iterator[PreprocessedItem]:
        """Yield the names of lock routines outside of system headers."""
        for name, at in _routines(self._text):
            yield from self._of_user(at, "", name)

    def attributes(self) -> Iterator[PreprocessedItem]:
        """Yield the directives that are written as attributes."""
        if "omp" not in self._text:
            return
        for at in _occurrences(self._text, "[["):
            if _ATTRIBUTE.match(self._text, at):
                for body in bodies_of(self._text, at):
                    yield from self._of_user(at, "omp", body)

    def is_in_system_header(self, at: int) -> bool:
        """Return True if the text at an offset comes from a system header."""
        return self._is_system(self._markers.before(at))


class _Markers:
    """The markers of a text. The search for one goes on from the last one found, or begins anew."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._last: re.Match[str] | None = None

    def before(self, at: int) -> re.Match[str] | None:
        """Return the last marker whose line begins before an offset."""
        text, end = self._text, at
        low = max(self._at - 3, 0) if at >= self._at else 0
        if not low:
            self._last = _MARKER.match(text) if at > 0 else None
        self._at = at
        while (start := text.rfind("\n# ", low, end) + 1) > 0:
            match = _MARKER.match(text, start)
            if match is not None:
                self._last = match
                break
            end = start + 1
        return self._last


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


def _routines(text: str) -> list[tuple[str, int]]:
    """Return the names of lock routines and their offsets, routine by routine."""
    by_name: dict[str, list[int]] = {name: [] for name in ROUTINES}
    for at in _occurrences(text, "omp_"):
        match = _ROUTINE.match(text, at)
        if match is not None and not (text[at - 1 : at].isalnum() or text[at - 1 : at] == "_"):
            by_name[match.group()].append(at)
    return [(name, at) for name, offsets in by_name.items() for at in offsets]


def _occurrences(text: str, part: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + len(part))


def _unescaped(match: re.Match[str]) -> str:
    digits = match.group(1)
    return text_of(bytes([int(digits, 8)])) if digits else match.group(2)
