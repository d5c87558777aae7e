"""Verdicts: the places where conditions on the difference of two runs hold, and the changes of properties
between them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from pomp_clang.analysis.columns import Overhead
from pomp_clang.analysis.comparison import ComparedRegion, change
from pomp_clang.analysis.comparison.conditions import (
    PROGRAM,
    REGION,
    STATES,
    Condition,
    Growth,
)
from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.analysis.properties import PropertyFinding, find_properties
from pomp_clang.analysis.region_matching import match_regions
from pomp_clang.analysis.run import AnalyzedRun


@dataclass(frozen=True, slots=True)
class PropertyChange:
    """A property at one place, in both runs or in one; None where it does not hold."""

    name: str
    a: PropertyFinding | None
    b: PropertyFinding | None

    @property
    def profile(self) -> RegionProfile | None:
        """The region's profile, of the later run if the property holds there; None for the program."""
        finding = self.b or self.a
        return finding.profile if finding else None

    @property
    def title(self) -> str:
        """The property's name for people."""
        finding = self.b or self.a
        return finding.title if finding else self.name

    @property
    def largest(self) -> float:
        return max(finding.share for finding in (self.a, self.b) if finding)

    @property
    def delta(self) -> float:
        """The growth of the property's share of the run's time."""
        return (self.b.share if self.b else 0.0) - (self.a.share if self.a else 0.0)


def property_changes(a: AnalyzedRun, b: AnalyzedRun) -> tuple[PropertyChange, ...]:
    """Return the properties that hold in either run, the largest change of share first."""
    pairs = match_regions((p.region for p in a.profiles), (p.region for p in b.profiles))
    counterpart = {other.id: first.id for first, other in pairs if first and other}
    before = {(f.name, f.profile.region.id if f.profile else ""): f for f in _findings_of_run(a)}
    merged = []
    for finding in _findings_of_run(b):
        ident = counterpart.get(finding.profile.region.id) if finding.profile else ""
        earlier = before.pop((finding.name, ident), None) if ident is not None else None
        merged.append(PropertyChange(finding.name, earlier, finding))
    merged += [PropertyChange(finding.name, finding, None) for finding in before.values()]
    return tuple(sorted(merged, key=lambda change: (-abs(change.delta), change.name)))


def _findings_of_run(run: AnalyzedRun) -> tuple[PropertyFinding, ...]:
    return find_properties(run.profiles, run.analysis)


_LOST = {
    "sync": Overhead.SYNC,
    "imbalance": Overhead.IMBAL,
    "limpar": Overhead.LIMPAR,
    "management": Overhead.MGMT,
}
"""The class of overhead for a condition's name."""


@dataclass(frozen=True, slots=True)
class ConditionVerdict:
    """A condition that holds at the region `compared`, or for the program if that is None.

    `grown` has the growth of each quantity in the condition, in the order of their names. Of
    repeated runs it is the median of the pairs of runs for which the condition holds. `pairs` is
    their number and that of all pairs, `confidence` that no noise explains so many; None without
    repetitions.
    """

    text: str
    compared: ComparedRegion | None
    grown: tuple[tuple[str, Growth], ...]
    pairs: tuple[int, int] | None = None
    confidence: float | None = None


def verdicts(
    a: AnalyzedRun,
    b: AnalyzedRun,
    regions: Iterable[ComparedRegion],
    conditions: Iterable[tuple[str, Condition]],
) -> tuple[ConditionVerdict, ...]:
    """Evaluate each condition: once for the program, or for each region if it names a region's
    quantity.
    """
    regions = tuple(regions)
    program = _program(a, b)
    changes = property_changes(a, b)
    held = []
    for text, condition in conditions:
        names = condition.names()
        properties = [
            property_change for property_change in changes if property_change.name in names
        ]
        for subject in _subjects(names, regions, properties):
            values = program | _region(a, b, subject) | _properties(properties, subject)
            state = subject.state if subject else ""
            if condition.holds(values, state):
                growths = [
                    (n, values.get(n, Growth(0.0, 0.0))) for n in sorted(names - set(STATES))
                ]
                held.append(ConditionVerdict(text, subject, tuple(growths)))
    return tuple(held)


def _subjects(
    names: set[str], regions: tuple[ComparedRegion, ...], properties: list[PropertyChange]
) -> list[ComparedRegion | None]:
    if names & {*REGION, *STATES}:
        return list(regions)
    if names <= set(PROGRAM):
        return [None]
    at_regions = [region for region in regions if any(_is_at(p, region) for p in properties)]
    of_program = any(_is_at(p, None) for p in properties) or not at_regions
    return [*([None] if of_program else []), *at_regions]


def _is_at(property_change: PropertyChange, subject: ComparedRegion | None) -> bool:
    sides = (subject.a, subject.b) if subject else (None, None)
    return any(
        finding is not None
        and (finding.profile.region.id if finding.profile else "")
        == (side.profile.region.id if side else "")
        for finding, side in zip((property_change.a, property_change.b), sides, strict=True)
    )


def _program(a: AnalyzedRun, b: AnalyzedRun) -> dict[str, Growth]:
    parts = [{name.lower(): value for name, value in run.parts().items()} for run in (a, b)]
    wholes = (a.analysis.totalT, b.analysis.totalT)
    named = {name: name for name in ("work", "serial", "target", "idle")}
    named |= {"not-running": "notrun"}
    named |= {name: overhead.value.lower() for name, overhead in _LOST.items()}
    grown = {
        name: _part(parts[0].get(key, 0.0), parts[1].get(key, 0.0), wholes)
        for name, key in named.items()
    }
    lost = [sum(times.get(overhead.value.lower(), 0.0) for overhead in Overhead) for times in parts]
    grown["lost"] = _part(lost[0], lost[1], wholes)
    grown["duration"] = _relative(a.duration, b.duration)
    return grown


def _part(before: float, after: float, wholes: tuple[float, float]) -> Growth:
    """Return the growth in seconds, and in points of the share of each run's own time."""
    return Growth(after - before, share(after, wholes[1]) - share(before, wholes[0]))


def _relative(before: float, after: float) -> Growth:
    """Return the growth in seconds, and as a share of the earlier value."""
    growth = change(before, after)
    return Growth(after - before, (math.inf if after > 0 else 0.0) if growth is None else growth)


def _region(a: AnalyzedRun, b: AnalyzedRun, subject: ComparedRegion | None) -> dict[str, Growth]:
    if subject is None:
        return {}
    wholes = (a.analysis.totalT, b.analysis.totalT)
    before, after = subject.a, subject.b
    return {
        "execT": _relative(before.execT if before else 0.0, after.execT if after else 0.0),
        "execC": _relative(before.execC if before else 0, after.execC if after else 0),
        "lostT": _part(before.lostT if before else 0.0, after.lostT if after else 0.0, wholes),
    }


def _properties(
    properties: list[PropertyChange], subject: ComparedRegion | None
) -> dict[str, Growth]:
    """Return the growth of each property's severity, which is 0 in a run where it does not hold."""
    grown = {}
    for property_change in properties:
        if _is_at(property_change, subject):
            before, after = (
                finding.severity if finding else 0.0
                for finding in (property_change.a, property_change.b)
            )
            grown[property_change.name] = Growth(after - before, property_change.delta)
    return grown
