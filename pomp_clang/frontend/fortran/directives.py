"""The directives of a Fortran text, read by the tables of `openmp`.

Blanks between the words of a directive may be left out (`!$omp enddo`), in both forms.
"""

from __future__ import annotations

import re
from functools import cache

from pomp_clang.frontend.directive_text import DirectiveReading, DirectiveText, read_directive
from pomp_clang.frontend.fortran.lines import LogicalLine
from pomp_clang.openmp.fortran_directives import FORTRAN_DIRECTIVES
from pomp_clang.openmp.pomp_api import CONTROLS, ControlReading, read_control
from pomp_clang.record import record, replace

_LITERAL = re.compile(r"('[^']*'|\"[^\"]*\")")
_NAMED = re.compile(r"\(\s*(\w+)")
_BEGIN_META = "begin metadirective"


@record
class FortranDirective:
    """A directive of a Fortran text, on its line.

    `ends` is True for an END directive; `reading` is then that of the directive that it ends.
    `delimited` is True for `begin metadirective`, whose END directive is required.
    """

    line: LogicalLine
    text: DirectiveText
    reading: DirectiveReading
    control: ControlReading | None = None
    ends: bool = False
    delimited: bool = False

    @property
    def words(self) -> str:
        """The words of its row in the table, or what stands there if it is in no row."""
        directive = self.reading.directive
        return directive.words if directive else self.text.body


@cache
def _words() -> tuple[str, ...]:
    """Return the words of all directives, the longest first."""
    return tuple(sorted((*FORTRAN_DIRECTIVES, _BEGIN_META), key=len, reverse=True))


@cache
def _names(spaced: bool) -> re.Pattern[str]:
    """Return the pattern of all directives' names; group `d<n>` is that of the nth words.

    `spaced` allows blanks inside a word: in fixed form, and where a continuation line splits it.
    """
    named = "|".join(
        f"(?P<d{number}>{_pattern(words, spaced)})" for number, words in enumerate(_words())
    )
    return re.compile(rf"\s*(?P<end>{_pattern('end', spaced)}\s*)??(?:{named})(?!\w)")


def _pattern(names: str, spaced: bool) -> str:
    return r"\s*".join(names.replace(" ", "") if spaced else names.split())


def _name_in(lowered: str) -> tuple[str, bool, int] | None:
    """Return a directive's words, whether it is an END directive, and where its clauses begin."""
    match = _names(False).match(lowered)
    match = match or _names(True).match(lowered)
    if match is None:
        return None
    group = match.lastgroup
    assert group is not None
    return _words()[int(group[1:])], match["end"] is not None, match.end()


_CONTROL = re.compile(r"\s*(inst\s*[a-z]+|noinstrument|instrument)(?![a-z])")


def read_fortran_directive(line: LogicalLine) -> FortranDirective:
    """Return the directive of a line that begins with a sentinel."""
    body = line.text.strip()
    text = DirectiveText(line.start + _indentation(line), line.stop, "!$", line.sentinel, body)
    lowered = _lowered(body)
    control = _control(body, lowered)
    if control is not None:
        return FortranDirective(line, text, DirectiveReading(None, None, ()), control)
    named = _name_in(lowered)
    if named is None:
        return FortranDirective(line, text, DirectiveReading(None, None, ()))
    names, ends, at = named
    delimited = names == _BEGIN_META
    row = names.removeprefix("begin ") if delimited else names
    reading = read_directive(row + lowered[at:], True)
    return FortranDirective(line, text, reading, None, ends, delimited)


def original_argument(directive: FortranDirective) -> str:
    """Return the directive's own argument in the case in which the user wrote it."""
    match = _NAMED.search(directive.text.body)
    return match[1] if match else ""


def _indentation(line: LogicalLine) -> int:
    """Return how many blanks stand in front of the sentinel, which ends where the text begins."""
    width = len(line.sentinel) + 2
    return max(0, line.pieces[0][1] - line.start - width) if not line.fixed else 0


def _lowered(body: str) -> str:
    """Return the text in lower case, except for its literals."""
    parts = _LITERAL.split(body)
    return "".join(part if number % 2 else part.lower() for number, part in enumerate(parts))


def _control(body: str, lowered: str) -> ControlReading | None:
    match = _CONTROL.match(lowered)
    if match is None:
        return None
    name = match[1]
    if name.startswith("inst") and name != "instrument":
        name = "inst " + name[4:].strip()
    if name not in CONTROLS:
        return None
    reading = read_control(name + lowered[match.end() :])
    named = _NAMED.search(body)
    if reading is None or not reading.name or named is None:
        return reading
    return replace(reading, name=named[1])
