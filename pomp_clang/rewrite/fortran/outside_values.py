"""Expressions of a `parallel do` that gfortran evaluates in front of the region.

They are the bounds of the associated loops and the chunk size. So they may name variables that
`default(none)` does not list, or that are private in the region. A construct that is split
in two directives takes their values from variables that are set in front of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pomp_clang.frontend.constructs import Construct
from pomp_clang.frontend.directive_text import ClauseText, DirectiveReading
from pomp_clang.frontend.extent import Extent
from pomp_clang.frontend.fortran.places import LoopBound
from pomp_clang.frontend.fortran.statements import masked
from pomp_clang.frontend.unit import SourceForm
from pomp_clang.record import record, replace
from pomp_clang.rewrite.combined import variables
from pomp_clang.rewrite.fortran.lines import continued

_WORDS = "parallel do"
_NAME = re.compile(r"(?<![\w%.])[^\W\d]\w*")
_STATIC = re.compile(r"(?:[\w,\s]*:)?\s*static\b")
_CHUNK = re.compile(r"([^,]*,)(.*)\Z", re.S)
_LISTED = frozenset(("shared", "firstprivate"))
_PRIVATE = frozenset(("private", "lastprivate", "reduction", "linear"))
_NOT_INHERITED = frozenset(("none", "private"))


@record
class OutsideValue:
    """An expression that is evaluated in front of a construct; `bound` is None for a chunk size."""

    text: str
    bound: LoopBound | None = None


def outside_values(construct: Construct) -> tuple[OutsideValue, ...]:
    """Return the expressions of a construct that need values from outside its region."""
    reading, places = construct.reading, construct.places
    if construct.kind != _WORDS or reading is None or places is None:
        return ()
    schedule = reading.clause("schedule")
    kind = schedule.argument or "" if schedule is not None else ""
    if _STATIC.match(kind) or reading.clause("ordered") is not None:
        return ()
    chunk = _CHUNK.match(kind.partition(":")[2] or kind)
    values = [OutsideValue(chunk[2].strip())] if chunk is not None else []
    values += [OutsideValue(bound.text, bound) for bound in places.bounds]
    loops = frozenset(places.variables)
    return tuple(value for value in values if _is_unknown(value.text, reading, loops))


def _is_unknown(text: str, reading: DirectiveReading, loops: frozenset[str]) -> bool:
    """Return True if an expression has another value within the region, or none."""
    names = {name.lower() for name in _NAME.findall(masked(text))}
    if names & loops:
        return False
    default = reading.clause("default")
    if default is not None and default.argument in _NOT_INHERITED:
        return not names <= _names_in(reading, _LISTED)
    return bool(names & _names_in(reading, _PRIVATE))


def _names_in(reading: DirectiveReading, kinds: frozenset[str]) -> set[str]:
    return {name for c in reading.clauses if c.name in kinds for name in variables(c)}


def reading_inside(
    reading: DirectiveReading, values: tuple[OutsideValue, ...], names: tuple[str, ...]
) -> DirectiveReading:
    """Return a directive's reading in which variables have the values' place."""
    clauses = list(reading.clauses)
    for value, name in zip(values, names, strict=True):
        if value.bound is None:
            at = next(n for n, clause in enumerate(clauses) if clause.name == "schedule")
            argument = clauses[at].argument or ""
            clauses[at] = ClauseText("schedule", argument[: argument.rindex(value.text)] + name)
    clauses.append(ClauseText("shared", ", ".join(names)))
    return replace(reading, clauses=tuple(clauses))


def bound_edits(
    text: str, bounds: Sequence[tuple[LoopBound, str]], form: SourceForm
) -> Iterator[tuple[Extent, str, int]]:
    """Yield the place and the text of each bound's variable, and the line behind if it moves, or 0.

    The conversion keeps the loop variable's kind, so that no compiler warns of one. Bounds of a
    line that would become too long get lines of their own.
    """
    values = [f"int({name}, kind({bound.variable}))" for bound, name in bounds]
    growth: dict[int, int] = {}
    for (bound, _), value in zip(bounds, values, strict=True):
        growth[bound.line_end] = growth.get(bound.line_end, 0) + len(value)
    for (bound, _), value in zip(bounds, values, strict=True):
        extent = bound.extent
        joined = "\n" in text[extent.start : extent.end]
        if glue := continued(text, extent.start, form, growth[bound.line_end]):
            tail = text[extent.end : text.find("\n", extent.end)].strip()
            value = f"{glue}{value}{glue if tail and tail[0] not in '!&' else ''}"
            joined = True
        yield extent, value, bound.line_end if joined else 0
