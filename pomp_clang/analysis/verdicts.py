"""Where conditions on the difference of two runs hold."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from pomp_clang.analysis.changes import Change, changes
from pomp_clang.analysis.comparison import Compared, change
from pomp_clang.analysis.conditions import (
    PROGRAM,
    REGION,
    STATES,
    Condition,
    Grown,
)
from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.run import Run
from pomp_clang.openmp.columns import Overhead

_LOST = {
    "sync": Overhead.SYNC,
    "imbalance": Overhead.IMBAL,
    "limpar": Overhead.LIMPAR,
    "management": Overhead.MGMT,
}
"""A condition's name of what the breakdown calls by the overhead's."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A condition that holds; `compared` is the region of which it does, None the program.

    `grown` has what the condition compares there, in the order of the names.
    """

    text: str
    compared: Compared | None
    grown: tuple[tuple[str, Grown], ...]


def verdicts(
    a: Run, b: Run, regions: Iterable[Compared], conditions: Iterable[tuple[str, Condition]]
) -> tuple[Verdict, ...]:
    """A condition without a region's quantity is asked once, another of each region."""
    regions = tuple(regions)
    program = _program(a, b)
    found = changes(a, b)
    held = []
    for text, condition in conditions:
        names = condition.names()
        properties = [each for each in found if each.name in names]
        for subject in _subjects(names, regions, properties):
            values = program | _region(a, b, subject) | _properties(properties, subject)
            state = subject.state if subject else ""
            if condition.holds(values, state):
                shown = [(n, values.get(n, Grown(0.0, 0.0))) for n in sorted(names - set(STATES))]
                held.append(Verdict(text, subject, tuple(shown)))
    return tuple(held)


def _subjects(
    names: set[str], regions: tuple[Compared, ...], properties: list[Change]
) -> list[Compared | None]:
    if names & {*REGION, *STATES}:
        return list(regions)
    if names <= set(PROGRAM):
        return [None]
    at_regions = [each for each in regions if any(_is_at(p, each) for p in properties)]
    of_program = any(_is_at(p, None) for p in properties) or not at_regions
    return [*([None] if of_program else []), *at_regions]


def _is_at(each: Change, subject: Compared | None) -> bool:
    sides = (subject.a, subject.b) if subject else (None, None)
    return any(
        found is not None
        and (found.profile.region.id if found.profile else "")
        == (side.profile.region.id if side else "")
        for found, side in zip((each.a, each.b), sides, strict=True)
    )


def _program(a: Run, b: Run) -> dict[str, Grown]:
    parts = [{name.lower(): value for name, value in run.parts().items()} for run in (a, b)]
    wholes = (a.analysis.totalT, b.analysis.totalT)
    named = {name: name for name in ("work", "serial", "target", "idle")}
    named |= {"not-running": "notrun"}
    named |= {name: overhead.value.lower() for name, overhead in _LOST.items()}
    grown = {
        name: _part(parts[0].get(key, 0.0), parts[1].get(key, 0.0), wholes)
        for name, key in named.items()
    }
    lost = [sum(each.get(overhead.value.lower(), 0.0) for overhead in Overhead) for each in parts]
    grown["lost"] = _part(lost[0], lost[1], wholes)
    grown["duration"] = _relative(a.duration, b.duration)
    return grown


def _part(before: float, after: float, wholes: tuple[float, float]) -> Grown:
    """In points of the share of each run's own time."""
    return Grown(after - before, share(after, wholes[1]) - share(before, wholes[0]))


def _relative(before: float, after: float) -> Grown:
    """As a share of what was before."""
    more = change(before, after)
    return Grown(after - before, (math.inf if after > 0 else 0.0) if more is None else more)


def _region(a: Run, b: Run, subject: Compared | None) -> dict[str, Grown]:
    if subject is None:
        return {}
    wholes = (a.analysis.totalT, b.analysis.totalT)
    before, after = subject.a, subject.b
    return {
        "execT": _relative(before.execT if before else 0.0, after.execT if after else 0.0),
        "execC": _relative(before.execC if before else 0, after.execC if after else 0),
        "lostT": _part(before.lostT if before else 0.0, after.lostT if after else 0.0, wholes),
    }


def _properties(properties: list[Change], subject: Compared | None) -> dict[str, Grown]:
    """Of what does not hold in a run its severity is nothing."""
    grown = {}
    for each in properties:
        if _is_at(each, subject):
            before, after = (found.severity if found else 0.0 for found in (each.a, each.b))
            grown[each.name] = Grown(after - before, each.delta)
    return grown
