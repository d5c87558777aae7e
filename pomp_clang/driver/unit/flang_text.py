"""flang's preprocessed text, in which the user's own lines are put back.

flang writes each statement and directive anew: continuation lines joined, broken at column 72,
statements from column 7 on. So a construct would have other columns and last lines than in the
source. If no macro changed a line, the source's lines take its place.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from pomp_clang.driver.unit.fortran_includes import marker
from pomp_clang.frontend.fortran.lines import FortranSourceText, LogicalLine, logical_lines
from pomp_clang.frontend.source import encoded, text_of
from pomp_clang.frontend.unit import SourceForm

_LINE = re.compile(rb'^#line (?:"([^"\n]*)" )?(\d+)$', re.M)
_COLUMNS = 72
_BROKEN = re.compile(
    rb"^[^\n]{72}&(?:\n(?:     |[!c*]\$omp|[!c*]\$pom|!\$   )&[^\n]*)+$", re.M | re.I
)
"""A statement or directive that flang's preprocessor has broken."""

_CPP = re.compile(r"^#", re.M)
_INCLUDE = re.compile(r"\s*include\s*['\"]([^'\"]*)", re.I)
_BLANKS = re.compile(r"\s+")
_CONTROL = re.compile(rb"^([ \t]*)[!cC*]\$pomp\b", re.M | re.I)
_DIRECTIVE = re.compile(rb"^([ \t]*)!dir\$ pomp\b", re.M)


def has_controls(text: bytes) -> bool:
    """Return True if a text has directives of POMP, which are comments to flang."""
    return _CONTROL.search(text) is not None


def controls_kept(text: bytes) -> bytes:
    """Return a text whose directives of POMP are directives that flang's preprocessor keeps."""
    return _CONTROL.sub(rb"\1!dir$ pomp", text)


def controls_restored(text: bytes) -> bytes:
    """Return a preprocessed text with the directives of POMP, of which `controls_kept` made others."""
    return _DIRECTIVE.sub(rb"\1!$pomp", text)


def with_markers(text: bytes, path: str) -> bytes:
    """Return flang's preprocessed text with the markers of other preprocessors.

    flang writes the file before the line, and a folder before the name of the source. It leaves the
    name out where the file is that of the marker before.
    """
    last = path

    def changed(match: re.Match[bytes]) -> bytes:
        nonlocal last
        if match[1] is not None:
            name = os.fsdecode(match[1])
            last = path if name == f"./{path}" else name
        return marker(int(match[2]), last).rstrip(b"\n")

    return _LINE.sub(changed, text)


def broken_at(text: bytes, columns: int) -> bytes:
    """Return flang's preprocessed text in fixed form with its lines broken at another column.

    flang breaks them at column 72, with an `&` behind, whatever length the compiler then reads.
    """
    if columns == _COLUMNS:
        return text
    return _BROKEN.sub(lambda match: _broken(match, columns), text)


def _broken(match: re.Match[bytes], columns: int) -> bytes:
    first, *others = match[0].split(b"\n")
    rows = [row.removesuffix(b"&") if len(row) > _COLUMNS else row for row in (first, *others)]
    sentinel, body = rows[1][:6], rows[0] + b"".join(row[6:] for row in rows[1:])
    width = columns - 6 if columns else len(body)
    starts = range(columns or len(body), len(body), width)
    broken_lines = [
        body[: columns or len(body)],
        *(sentinel + body[at : at + width] for at in starts),
    ]
    # Following text keeps its line: flang writes a marker only where the number does not fit.
    return b"\n".join([*broken_lines, *[b""] * (len(rows) - len(broken_lines))])


def with_own_lines(text: str, path: str, own: str, form: SourceForm) -> str:
    """Return a preprocessed text with the lines of the source `own` and of what it includes."""
    source = FortranSourceText(path, text)
    sources = _SourceLines(path, own, form)
    controls = _IncludedControls(sources)
    writer = _PlacedLines()
    for offset, preprocessed_line, line in _lines(text, form):
        file, number = source.place(offset)
        for control in controls.before(file, number):
            writer.write(*control)
        writer.write(file, number, (line and sources.same(file, number, line)) or preprocessed_line)
    for control in controls.rest(path):
        writer.write(*control)
    return "".join(writer.pieces)


class _PlacedLines:
    """Lines with markers where they do not follow each other in their file."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self._next = ("", 0)

    def write(self, file: str, number: int, text: str) -> None:
        if self._next != (file, number):
            self.pieces.append(f'# {number} "{encoded(file)}"\n')
        self.pieces.append(text)
        self._next = (file, number + text.count("\n"))


def _lines(text: str, form: SourceForm) -> Iterator[tuple[int, str, LogicalLine | None]]:
    """Yield the offset and the text of what the compiler reads: statements, and other lines."""
    at = 0
    for line in logical_lines(text, form):
        yield from _others(text, at, line.start)
        yield line.start, _ended(text[line.start : line.end]), line
        at = line.end
    yield from _others(text, at, len(text))


def _others(text: str, start: int, end: int) -> Iterator[tuple[int, str, None]]:
    """Yield lines that are neither statements nor OpenMP, such as directives of the compiler."""
    for match in re.finditer(r"[^\n]*\n?", text[start:end]):
        if match.group().strip() and not match.group().startswith("#"):
            yield start + match.start(), _ended(match.group()), None


def _ended(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"


class _SourceLines:
    """The logical lines of the files that a preprocessed text comes from, by their numbers."""

    def __init__(self, path: str, own: str, form: SourceForm) -> None:
        self._form = form
        self._controls: dict[str, list[tuple[int, str]]] = {}
        self._lines: dict[str, dict[int, tuple[LogicalLine, str]]] = {}
        self._lines[path] = self._read("", own)

    def open(self, file: str) -> None:
        """Read a file, if that has not been done."""
        if file not in self._lines:
            try:
                with open(file, "rb") as opened:
                    self._lines[file] = self._read(file, text_of(opened.read()))
            except (OSError, ValueError):
                self._lines[file] = {}

    def same(self, file: str, number: int, line: LogicalLine) -> str:
        """Return the lines of a file that say the same as a line made of them, or ""."""
        self.open(file)
        own, written = self._lines[file].get(number, (None, ""))
        if own is None or _CPP.search(written) is not None:  # an #if between its lines
            return ""
        return written if _normalized(own) == _normalized(line) else ""

    def controls(self, file: str) -> list[tuple[int, str]]:
        """Return the directives of POMP in a file that has no conditional compilation."""
        return self._controls.get(file, [])

    def inclusion(self, file: str, after: int, included: str) -> int:
        """Return the line of the first INCLUDE of another file behind a line, or 0."""
        for number, (line, _) in self._lines[file].items():
            match = _INCLUDE.match(line.text) if number > after else None
            if match and os.path.basename(match[1]) == os.path.basename(included):
                return number
        return 0

    def _read(self, file: str, text: str) -> dict[int, tuple[LogicalLine, str]]:
        lines: dict[int, tuple[LogicalLine, str]] = {}
        number, at = 1, 0
        for line in logical_lines(text, self._form):
            number += text.count("\n", at, line.start)
            at = line.start
            lines[number] = line, _ended(text[line.start : line.end])
        if file and _CPP.search(text) is None:
            controls = (
                (n, written)
                for n, (logical_line, written) in lines.items()
                if logical_line.sentinel == "pomp"
            )
            self._controls[file] = list(controls)
        return lines


class _OpenFile:
    """A file that flang is reading: the directives of POMP ahead, and the last line read."""

    def __init__(self, name: str, ahead: list[tuple[int, str]]) -> None:
        self.name, self.ahead = name, list(ahead)
        self.last = 0

    def pop_before(self, end: float = float("inf")) -> Iterator[tuple[str, int, str]]:
        """Yield the directives in front of a line, with their places."""
        while self.ahead and self.ahead[0][0] < end:
            yield (self.name, *self.ahead.pop(0))


class _IncludedControls:
    """The directives of POMP in included files, in the order in which flang reads them."""

    def __init__(self, sources: _SourceLines) -> None:
        self._sources = sources
        self._open: list[_OpenFile] = []

    def before(self, name: str, number: int) -> Iterator[tuple[str, int, str]]:
        """Yield the place and the text of those in front of a line of a file."""
        if any(file.name == name for file in self._open):
            yield from self.rest(name)
            if number <= self._open[-1].last:  # the file is included once more
                yield from self._open.pop().pop_before()
        if not self._open or self._open[-1].name != name:
            if self._open:
                outer = self._open[-1]
                yield from outer.pop_before(self._sources.inclusion(outer.name, outer.last, name))
            self._sources.open(name)
            self._open.append(_OpenFile(name, self._sources.controls(name)))
        self._open[-1].last = number
        yield from self._open[-1].pop_before(number)

    def rest(self, name: str) -> Iterator[tuple[str, int, str]]:
        """Yield those of the files that end before this one goes on."""
        while self._open and self._open[-1].name != name:
            yield from self._open.pop().pop_before()


def _normalized(line: LogicalLine) -> tuple[str, str, str]:
    return line.sentinel, line.label, _BLANKS.sub("", line.text).lower()
