"""The treatment of worksharing loops that a filter asks for: iterations recorded, schedule set."""

from __future__ import annotations

from pomp_clang.frontend.constructs import Construct, Constructs, LoopBody
from pomp_clang.frontend.directive_text import ClauseText
from pomp_clang.record import replace
from pomp_clang.selection.filter import filter_subject, selects
from pomp_clang.selection.selection import ConstructSelection

_LANGUAGES = ("c", "c++")
_OTHER_LANGUAGE = "iterations and schedules are for C and C++"
_RUNTIME = ClauseText("schedule", "runtime")


def treated(
    constructs: Constructs, construct: Construct, selection: ConstructSelection
) -> tuple[Construct, LoopBody | None]:
    """Return a construct with the clauses that it gets, and where its iterations have their event.

    The latter is None if no rule asks for iterations, or if the construct is no worksharing loop.
    """
    rules = selection.filter
    if rules is None or construct.leaf is None or construct.leaf.event != "For":
        return construct, None
    nth = constructs.ordinals[construct.index] if rules.counts else 1
    named = filter_subject(constructs, construct, nth)
    if constructs.language not in _LANGUAGES:
        is_selected = selects(rules.iterations, named)
        return construct, LoopBody(why=_OTHER_LANGUAGE) if is_selected else None
    if selects(rules.runtime_schedules, named):
        construct = _with_runtime_schedule(construct)
    if not selects(rules.iterations, named):
        return construct, None
    if constructs.is_measured_from_outside(construct):
        return construct, LoopBody(why="it is measured from outside")
    return construct, construct.loop


def _with_runtime_schedule(construct: Construct) -> Construct:
    """Return a loop that takes its schedule from OMP_SCHEDULE."""
    assert construct.reading is not None
    others = tuple(clause for clause in construct.reading.clauses if clause.name != "schedule")
    return replace(construct, reading=replace(construct.reading, clauses=(*others, _RUNTIME)))
