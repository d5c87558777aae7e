"""What a selection of functions would cost, told from a run that measured more of them.

Functions of one name are one candidate, since a filter's rule is about a name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields, replace
from functools import cached_property

from pomp_clang.analysis.perturbation import perturbation, without
from pomp_clang.analysis.profile import RegionProfile, flat_profile
from pomp_clang.experiment.model import Costs, Experiment, Region
from pomp_clang.openmp.directives import MEASURED

EVENT = 8
"""Bytes of an event in a trace."""

_ROWS = {directive.words: directive for directive in MEASURED}


@dataclass(frozen=True, slots=True)
class Candidate:
    """Functions of a name: `cost` is the seconds of all threads that their events took, and
    `inclusive` what they themselves did."""

    name: str
    regions: tuple[Region, ...]
    visits: int
    cost: float
    inclusive: float

    @property
    def trace(self) -> int:
        """Bytes of a trace."""
        return 2 * EVENT * self.visits

    @property
    def ratio(self) -> float:
        """What it costs of what it shows."""
        return self.cost / self.inclusive if self.inclusive > 0 else float("inf")


@dataclass(frozen=True, slots=True)
class Forecast:
    """Of a selection: `overhead` is a part of the time without measurement, `explained` the
    part of all functions' inclusive time that those of the selection have."""

    functions: int
    overhead: float
    trace: int
    explained: float


@dataclass(frozen=True)
class Score:
    """`candidates` have the costliest first; `own` is what constructs cost, which stay, and
    `seconds` are all threads' without what was spent on measuring."""

    candidates: tuple[Candidate, ...]
    constructs: int
    own: float
    own_trace: int
    seconds: float

    @cached_property
    def _inclusive(self) -> float:
        return sum(each.inclusive for each in self.candidates)

    def share(self, cost: float) -> float:
        """Seconds of measuring, as a part of the time without."""
        return cost / self.seconds if self.seconds > 0 else 0.0

    def forecast(self, left_out: Collection[str] = ()) -> Forecast:
        """What is to be expected without these."""
        kept = [each for each in self.candidates if each.name not in left_out]
        shown = sum(each.inclusive for each in kept)
        return Forecast(
            len(kept),
            self.share(self.own + sum(each.cost for each in kept)),
            self.own_trace + sum(each.trace for each in kept),
            shown / self._inclusive if self._inclusive > 0 else 1.0,
        )

    def within(self, budget: float, left_out: Collection[str] = ()) -> frozenset[str]:
        """The functions to leave out, so that measuring costs no more than a part of the time:
        first those that cost most of what they show."""
        found = set(left_out)
        spent = self.own + sum(e.cost for e in self.candidates if e.name not in found)
        for each in sorted(self.candidates, key=lambda e: (-e.ratio, -e.cost)):
            if self.share(spent) <= budget:
                break
            if each.name not in found:
                found.add(each.name)
                spent -= each.cost
        return frozenset(found)


def score(experiment: Experiment, duration: float | None = None) -> Score | None:
    """Of a run; None where the runtime did not measure what its events cost.

    With the `duration` of the program without measurement what the run took longer is what
    its events cost; without, what they cost alone, before the compiler was kept from inlining.
    """
    found = perturbation(experiment)
    if found is None:
        return None
    if duration is not None and found.total > 0:
        more = (experiment.duration - duration) * experiment.max_threads
        experiment = replace(experiment, costs=_times(found.costs, max(0.0, more) / found.total))
    cost = perturbation(experiment) or found
    profiles = flat_profile(without(experiment))
    functions = [each for each in profiles if each.region.kind == "function"]
    others = [each for each in profiles if each.region.kind != "function"]
    paid = {each.region.id: each.own for each in cost.regions}
    return Score(
        tuple(sorted(_candidates(functions, paid), key=lambda each: (-each.cost, each.name))),
        sum(each.ran for each in others),
        sum(paid.get(each.region.id, 0.0) for each in others),
        sum(_events(each) for each in others) * EVENT,
        max(0.0, experiment.duration * experiment.max_threads - cost.total),
    )


def _times(costs: Costs, factor: float) -> Costs:
    return Costs(*(getattr(costs, each.name) * factor for each in fields(costs)))


def _candidates(functions: Iterable[RegionProfile], paid: dict[str, float]) -> Iterable[Candidate]:
    by_name: dict[str, list[RegionProfile]] = {}
    for each in functions:
        if each.execC:
            by_name.setdefault(each.region.sub_name, []).append(each)
    for name, members in by_name.items():
        yield Candidate(
            name,
            tuple(each.region for each in members),
            sum(each.execC for each in members),
            sum(paid.get(each.region.id, 0.0) for each in members),
            sum(each.execT for each in members),
        )


def _events(profile: RegionProfile) -> int:
    """How many a construct's visits had; of what waits in it no more than its own."""
    row = _ROWS.get(profile.region.kind)
    each = 2 if row is None else 2 * (bool(row.around) + bool(row.inside)) or 2
    waits = row is not None and row.barrier.value != "none" and profile.region.barrier_measured
    return profile.execC * (each + 2 * waits)
