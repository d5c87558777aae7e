"""What a selection would cost, told from a run that measured more.

Functions of one name are one candidate, since a filter's rule is about a name; constructs are
one each, known by which they are of their kind in their function.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields, replace
from functools import cached_property

from pomp_clang.analysis.perturbation import perturbation, without
from pomp_clang.analysis.profile import RegionProfile, flat_profile
from pomp_clang.experiment.model import Costs, Experiment, Region
from pomp_clang.score.recorded import recorded
from pomp_clang.score.spots import Spot, spots_of


@dataclass(frozen=True, slots=True)
class Candidate:
    """Functions of a name, or a construct: `cost` is the seconds of all threads that their
    events took, `inclusive` what they themselves did, and `trace` the bytes of a trace."""

    name: str
    regions: tuple[Region, ...]
    visits: int
    cost: float
    inclusive: float
    trace: int
    construct: Spot | None = None

    @property
    def key(self) -> str:
        """What it is known by in a selection."""
        return self.name if self.construct is None else f"{self.name} {self.regions[0].id}"

    @property
    def ratio(self) -> float:
        """What it costs of what it shows."""
        return self.cost / self.inclusive if self.inclusive > 0 else float("inf")


@dataclass(frozen=True, slots=True)
class Forecast:
    """Of a selection: `overhead` is a part of the time without measurement, `explained` the
    part of all functions' inclusive time that those of the selection have."""

    functions: int
    constructs: int
    overhead: float
    trace: int
    explained: float


@dataclass(frozen=True)
class Score:
    """`functions` and `constructs` have the costliest first; `seconds` are all threads'
    without what was spent on measuring."""

    functions: tuple[Candidate, ...]
    constructs: tuple[Candidate, ...]
    seconds: float

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """All, the costliest first."""
        return tuple(sorted((*self.functions, *self.constructs), key=_costliest))

    @cached_property
    def _inclusive(self) -> float:
        return sum(each.inclusive for each in self.functions)

    def share(self, cost: float) -> float:
        """Seconds of measuring, as a part of the time without."""
        return cost / self.seconds if self.seconds > 0 else 0.0

    def forecast(self, left_out: Collection[str] = ()) -> Forecast:
        """What is to be expected without these."""
        functions = [each for each in self.functions if each.key not in left_out]
        constructs = [each for each in self.constructs if each.key not in left_out]
        shown = sum(each.inclusive for each in functions)
        return Forecast(
            len(functions),
            len(constructs),
            self.share(sum(each.cost for each in (*functions, *constructs))),
            sum(each.trace for each in (*functions, *constructs)),
            shown / self._inclusive if self._inclusive > 0 else 1.0,
        )

    def within(self, budget: float, left_out: Collection[str] = ()) -> frozenset[str]:
        """What to leave out, so that measuring costs no more than a part of the time: first the
        functions that cost most of what they show, then the constructs."""
        found = set(left_out)
        spent = sum(each.cost for each in self.candidates if each.key not in found)
        for each in (*sorted(self.functions, key=_dearest), *sorted(self.constructs, key=_dearest)):
            if self.share(spent) <= budget:
                break
            if each.key not in found and each.cost:
                found.add(each.key)
                spent -= each.cost
        return frozenset(found)


def _costliest(each: Candidate) -> tuple[float, str]:
    return -each.cost, each.name


def _dearest(each: Candidate) -> tuple[float, float]:
    return -each.ratio, -each.cost


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
    paid = {each.region.id: each.own for each in cost.regions}
    spots = spots_of(experiment.regions)
    constructs = [
        Candidate(
            f"{each.region.kind} {each.region.sub_name}".strip(),
            (each.region,),
            each.execC,
            paid.get(each.region.id, 0.0),
            each.execT,
            recorded(each),
            spots[each.region.id],
        )
        for each in profiles
        if each.region.kind != "function" and each.execC
    ]
    functions = [each for each in profiles if each.region.kind == "function"]
    return Score(
        tuple(sorted(_candidates(functions, paid), key=_costliest)),
        tuple(sorted(constructs, key=_costliest)),
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
            sum(map(recorded, members)),
        )
