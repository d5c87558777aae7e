"""The statements of a Fortran text: its logical lines, split at semicolons; the bounds of a DO
statement, and the calls of lock routines, by any name that USE gives them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from pomp_clang.frontend.fortran.classify import closing
from pomp_clang.frontend.fortran.lines import LogicalLine
from pomp_clang.frontend.fortran.places import LoopBound
from pomp_clang.frontend.source import Extent
from pomp_clang.openmp.pomp_api import ROUTINES, Routine
from pomp_clang.record import record

_LITERAL = re.compile(r"'[^']*(?:'|\Z)|\"[^\"]*(?:\"|\Z)")
_BLANKS = re.compile(r"\s+")
_LABEL = re.compile(r"\s*(\d+)(?=\s|\Z)")


@record
class Statement:
    """One statement.

    `first` and `last` delimit it in its line's text, without label and blanks around. `compact` is
    its text in lower case, without blanks, and with literals masked: in fixed form blanks mean
    nothing. `alone` is True if it is the last statement of its line.
    """

    line: LogicalLine
    first: int
    last: int
    compact: str
    label: str = ""
    label_at: int = 0
    alone: bool = True
    resume: int = 0
    """the offset of the next statement on the line, if it is not alone"""

    @property
    def start(self) -> int:
        """The offset of its first character."""
        return self.line.offset(self.first)

    @property
    def end(self) -> int:
        """One past the offset of its last character."""
        return self.line.offset(self.last - 1) + 1

    @property
    def text(self) -> str:
        """Its characters as written, continuation lines joined."""
        return self.line.text[self.first : self.last]


def masked(text: str) -> str:
    """Replace the characters of literals, so that no mark in them means anything."""
    return _LITERAL.sub(lambda match: "'".ljust(len(match.group()), "_"), text)


def statements(line: LogicalLine) -> Iterator[Statement]:
    """Yield the statements of a logical line, empty ones left out."""
    mask = masked(line.text).lower()
    bounds = _bounds(mask)
    label, label_at = line.label, line.label_at
    for number, (first, last) in enumerate(bounds):
        if not label:
            match = _LABEL.match(mask, first, last)
            if match and match.end() < last:
                label, label_at = match[1].lstrip("0"), line.offset(match.start(1))
                first = match.end()
                first += len(mask[first:last]) - len(mask[first:last].lstrip())
        alone = number == len(bounds) - 1
        yield Statement(
            line,
            first,
            last,
            _BLANKS.sub("", mask[first:last]),
            label,
            label_at,
            alone,
            0 if alone else line.offset(bounds[number + 1][0]),
        )
        label = ""


def _bounds(mask: str) -> list[tuple[int, int]]:
    bounds = []
    at = 0
    for piece in mask.split(";"):
        stripped = piece.strip()
        if stripped:
            first = at + len(piece) - len(piece.lstrip())
            bounds.append((first, first + len(stripped)))
        at += len(piece) + 1
    return bounds


def loop_bounds(statement: Statement, variable: str) -> list[LoopBound]:
    """Return the bounds and the stride of a DO statement with this variable."""
    text = masked(statement.text)
    return [
        _bound(statement, variable, first, last)
        for first, last in _parts(text, text.index("=") + 1)
        if text[first:last].strip()
    ]


def _bound(statement: Statement, variable: str, first: int, last: int) -> LoopBound:
    part = statement.text[first:last]
    begin = statement.first + first + len(part) - len(part.lstrip())
    end = statement.first + last - len(part) + len(part.rstrip())
    line = statement.line
    extent = Extent(line.offset(begin), line.offset(end - 1) + 1)
    return LoopBound(variable, part.strip(), extent, line.end)


def _parts(text: str, start: int) -> Iterator[tuple[int, int]]:
    """Yield the borders of what commas outside of brackets separate."""
    at = start
    while at < len(text):
        if text[at] in "([":
            at = closing(text, at)
            if at < 0:
                return
        elif text[at] == ",":
            yield start, at
            start = at = at + 1
        else:
            at += 1
    yield start, len(text)


_LOCK = r"omp_(?:set|unset|test)_(?:nest_)?lock"
_CALLED = r"(?<![\w%])(?:call)?({})(?=\()"
"""The pattern of a routine's name in a statement without blanks."""

_RENAMED = re.compile(r"([^\W\d]\w*)=>(omp_(?:set|unset|test)_(?:nest_)?lock)(?!\w)")


@record
class LockCall:
    """A call of a routine; `name` and `arguments` (with parentheses) are offsets in the file."""

    routine: Routine
    name: Extent
    arguments: Extent
    argument: str


def renamed(compact: str) -> dict[str, str]:
    """Return the routines that a USE statement renames, by their new names in lower case."""
    if not compact.startswith("use") or "_lock" not in compact:
        return {}
    return {match[1]: match[2] for match in _RENAMED.finditer(compact)}


def lock_calls(statement: Statement, names: Mapping[str, str]) -> Iterator[LockCall]:
    """Yield the calls in a statement; `names` are the routines' further names."""
    if "_lock" not in statement.compact and not any(n in statement.compact for n in names):
        return
    text = masked(statement.text)
    places = [at for at, character in enumerate(text) if not character.isspace()]
    for match in re.finditer(_CALLED.format("|".join((_LOCK, *names))), statement.compact):
        opening = places[match.end()]
        end = closing(text, opening)
        if end < 0:
            continue
        name = match[1]
        at = statement.first
        first, last = places[match.start(1)], places[match.end(1) - 1] + 1
        yield LockCall(
            ROUTINES[names.get(name, name)],
            _extent(statement, at + first, at + last),
            _extent(statement, at + opening, at + end),
            " ".join(statement.text[opening + 1 : end - 1].split()),
        )


def _extent(statement: Statement, first: int, last: int) -> Extent:
    return Extent(statement.line.offset(first), statement.line.offset(last - 1) + 1)
