"""The variables that an instrumented Fortran unit gets.

Tokens for teams and tasks, and values for loops, each have a name of their own in the unit. They
are local variables of the subprogram around. Within a parallel region or a task they would be
shared by threads, so they are private there.

gfortran evaluates some expressions of a `parallel do` in front of the region: the bounds of the
associated loops and the chunk size. So they may name variables that `default(none)` does not list,
or that are private in the region. A construct that is split in two directives takes their values
from variables that are set in front of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from pomp_clang.frontend.constructs import Construct
from pomp_clang.frontend.directive_text import ClauseText, DirectiveReading
from pomp_clang.frontend.fortran.places import LoopBound
from pomp_clang.frontend.fortran.statements import masked
from pomp_clang.frontend.source import Extent
from pomp_clang.frontend.unit import SourceForm
from pomp_clang.record import record, replace
from pomp_clang.rewrite.combined import variables
from pomp_clang.rewrite.fortran.lines import continued
from pomp_clang.selection.plan import Decision, InstrumentationPlan

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


class Tokens:
    """The tokens of a unit. `declared` has their names by the number of the program unit.

    `of_tasks` is False if tasks cannot hand over the value that a token has at their creation.
    `outside` has the number of the values that a construct takes from outside its region.
    """

    def __init__(
        self, decided: InstrumentationPlan, of_tasks: bool, outside: Mapping[int, int]
    ) -> None:
        self._names: dict[int, str] = {}
        self._values: dict[int, tuple[str, ...]] = {}
        self._private: dict[int, list[str]] = {}
        self.declared: dict[int, list[str]] = {}
        text = decided.constructs.source.text.lower()
        stem = "pompt"
        while stem in text:
            stem += "t"
        for entry in decided.entries:
            construct = entry.construct
            if entry.decision is not Decision.INSTRUMENTED or not _hands_over(construct, of_tasks):
                continue
            if decided.constructs.is_measured_from_outside(construct):
                continue
            numbers = range(1 + outside.get(construct.index, 0))
            serial = sum(map(len, self.declared.values()))
            names = [f"{stem}{serial + number + 1}" for number in numbers]
            self._names[construct.index] = names[0]
            self._values[construct.index] = tuple(names[1:])
            assert construct.places is not None
            self.declared.setdefault(construct.places.unit, []).extend(names)
            for around in decided.constructs.around(construct):
                if around.generates_tasks:
                    self._private.setdefault(around.index, []).extend(names)

    def of(self, construct: Construct) -> str:
        """Return a construct's token, or "" if it has none."""
        return self._names.get(construct.index, "")

    def values(self, construct: Construct) -> tuple[str, ...]:
        """Return the variables of a construct's values from outside."""
        return self._values.get(construct.index, ())

    def private(self, construct: Construct) -> str:
        """Return the clause for the tokens of constructs within this one, or ""."""
        names = self._private.get(construct.index)
        return f"private({', '.join(names)})" if names else ""


def _hands_over(construct: Construct, of_tasks: bool) -> bool:
    """Return True if threads that run the block need a token."""
    directive = construct.directive
    if directive is None:
        return False
    return directive.words.split()[0] == "parallel" or (
        of_tasks and directive.is_deferred and construct.block is not None
    )
