"""The forecast of a selection's cost, from a run that measured more.

Functions of one name are one candidate, since a filter's rule selects by name. Each construct is a
candidate, known by its number among its kind in its function.

A construct's position is what a filter's rule names: the functions around it, and its number there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property

from pomp_clang.analysis.perturbation import events_inside, perturbation, without
from pomp_clang.analysis.profile import RegionProfile, flat_profile
from pomp_clang.experiment.model import EventCosts, Experiment, Region
from pomp_clang.openmp.directives import MEASURED
from pomp_clang.openmp.fortran_directives import FORTRAN_MEASURED
from pomp_clang.openmp.kinds import TASKLOOPS, is_parallel


@dataclass(frozen=True, slots=True)
class ConstructPosition:
    """The functions around a construct, the innermost first, and its number among its kind and name
    there.
    """

    functions: tuple[str, ...]
    nth: int


def construct_positions(regions: Sequence[Region]) -> dict[str, ConstructPosition]:
    """Return the positions of all constructs by the region's id.

    Functions and constructs that were left out when the program was compiled are not known.
    """
    functions = [region for region in regions if region.kind == "function"]
    around = {
        region.id: sorted(
            (function for function in functions if _holds(function, region)),
            key=lambda region_: (region_.begin_line1, region_.begin_column),
            reverse=True,
        )
        for region in regions
        if region.kind != "function"
    }
    same_key: dict[tuple[str, ...], list[Region]] = {}
    for region in regions:
        if region.kind != "function":
            same_key.setdefault(_among(region, around[region.id]), []).append(region)
    positions = {}
    for members in same_key.values():
        members.sort(key=lambda region: (region.begin_line1, region.begin_column))
        for nth, region in enumerate(members, 1):
            names = [region_.sub_name for region_ in around[region.id]] or [region.function]
            positions[region.id] = ConstructPosition(tuple(names), nth)
    return positions


def _holds(function: Region, region: Region) -> bool:
    return (
        function.file == region.file
        and function.begin_line1 <= region.begin_line1
        and region.end_lineN <= function.end_lineN
    )


def _among(region: Region, around: Sequence[Region]) -> tuple[str, ...]:
    innermost = around[0].id if around else region.function
    return region.file, innermost, region.kind, region.sub_name


@dataclass(frozen=True, slots=True)
class Candidate:
    """Functions of one name, or a construct.

    `cost` is the seconds of all threads that their events took, `inclusive` the seconds of their
    own work, `trace` the bytes of a trace.
    """

    name: str
    regions: tuple[Region, ...]
    visits: int
    cost: float
    inclusive: float
    trace: int
    construct: ConstructPosition | None = None

    @property
    def key(self) -> str:
        """The candidate's identity in a selection."""
        return self.name if self.construct is None else f"{self.name} {self.regions[0].id}"

    @property
    def ratio(self) -> float:
        """The cost over the time that it explains."""
        return self.cost / self.inclusive if self.inclusive > 0 else float("inf")


@dataclass(frozen=True, slots=True)
class Forecast:
    """The expected cost of a selection.

    `overhead` is a share of the time without measurement. `explained` is the share of all
    functions' inclusive time that the selection has.
    """

    functions: int
    constructs: int
    overhead: float
    trace: int
    explained: float


@dataclass(frozen=True)
class Score:
    """The candidates of a run, the costliest first; `seconds` is all threads' time without
    measurement.
    """

    functions: tuple[Candidate, ...]
    constructs: tuple[Candidate, ...]
    seconds: float

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """All candidates, the costliest first."""
        return tuple(sorted((*self.functions, *self.constructs), key=_costliest))

    @cached_property
    def _inclusive(self) -> float:
        return sum(candidate.inclusive for candidate in self.functions)

    def share(self, cost: float) -> float:
        """Return a cost as a share of the time without measurement."""
        return cost / self.seconds if self.seconds > 0 else 0.0

    def forecast(self, left_out: Collection[str] = ()) -> Forecast:
        """Return the forecast without the candidates that are left out."""
        functions = [candidate for candidate in self.functions if candidate.key not in left_out]
        constructs = [candidate for candidate in self.constructs if candidate.key not in left_out]
        measured = sum(candidate.inclusive for candidate in functions)
        return Forecast(
            len(functions),
            len(constructs),
            self.share(sum(candidate.cost for candidate in (*functions, *constructs))),
            sum(candidate.trace for candidate in (*functions, *constructs)),
            measured / self._inclusive if self._inclusive > 0 else 1.0,
        )

    def within(self, budget: float, left_out: Collection[str] = ()) -> frozenset[str]:
        """Select candidates to leave out, so that the cost is within a share of the time.

        Functions with the highest ratio of cost to explained time go first, then constructs.
        """
        excluded = set(left_out)
        cost = sum(candidate.cost for candidate in self.candidates if candidate.key not in excluded)
        for candidate in (
            *sorted(self.functions, key=_dearest),
            *sorted(self.constructs, key=_dearest),
        ):
            if self.share(cost) <= budget:
                break
            if candidate.key not in excluded and candidate.cost:
                excluded.add(candidate.key)
                cost -= candidate.cost
        return frozenset(excluded)


def _costliest(candidate: Candidate) -> tuple[float, str]:
    return -candidate.cost, candidate.name


def _dearest(candidate: Candidate) -> tuple[float, float]:
    return -candidate.ratio, -candidate.cost


def score(experiment: Experiment, duration: float | None = None) -> Score | None:
    """Compute the score of a run; None if the runtime did not measure its events' cost.

    With the `duration` of the program without measurement, the excess of the run's duration is the
    cost of its events. Without it, the cost of the events alone counts, without the inlining that
    they prevent.
    """
    estimate = perturbation(experiment)
    if estimate is None:
        return None
    if duration is not None and estimate.total > 0:
        overhead = (experiment.duration - duration) * experiment.max_threads
        experiment = replace(
            experiment, costs=_times(estimate.costs, max(0.0, overhead) / estimate.total)
        )
    cost = perturbation(experiment) or estimate
    profiles = flat_profile(without(experiment))
    cost_of = {region_cost.region.id: region_cost.exclusive for region_cost in cost.regions}
    positions = construct_positions(experiment.regions)
    constructs = [
        Candidate(
            f"{profile.region.kind} {profile.region.sub_name}".strip(),
            (profile.region,),
            profile.execC,
            cost_of.get(profile.region.id, 0.0),
            profile.execT,
            recorded(profile),
            positions[profile.region.id],
        )
        for profile in profiles
        if profile.region.kind != "function" and profile.execC
    ]
    functions = [profile for profile in profiles if profile.region.kind == "function"]
    return Score(
        tuple(sorted(_candidates(functions, cost_of), key=_costliest)),
        tuple(sorted(constructs, key=_costliest)),
        max(0.0, experiment.duration * experiment.max_threads - cost.total),
    )


def _times(costs: EventCosts, factor: float) -> EventCosts:
    return EventCosts(*(getattr(costs, field.name) * factor for field in fields(costs)))


def _candidates(
    functions: Iterable[RegionProfile], cost_of: dict[str, float]
) -> Iterable[Candidate]:
    by_name: dict[str, list[RegionProfile]] = {}
    for profile in functions:
        if profile.execC:
            by_name.setdefault(profile.region.sub_name, []).append(profile)
    for name, members in by_name.items():
        yield Candidate(
            name,
            tuple(profile.region for profile in members),
            sum(profile.execC for profile in members),
            sum(cost_of.get(profile.region.id, 0.0) for profile in members),
            sum(profile.execT for profile in members),
            sum(map(recorded, members)),
        )


WORD = 8

VISIT = 2
"""Words of a visit: enter and leave."""

FORK, MEMBER, COMBINED = 2, 7, 2
"""Words of a parallel region: once, on each thread, and there for a combined construct.

An event with a value takes two words or three.
"""

ASSEMBLED = 2
"""Words once a region whose members record their arrival; each of them has one word less."""

CREATED, RAN = 2, 4
"""Words of a task: where it is created, and where it runs."""

MAKING = 2
"""Words of a taskloop: its tasks are created, and waited for; with gcc that is one."""

LOCKED = 7
"""Words of setting and unsetting a lock, each with the lock's identity."""

_ROWS = {directive.words: directive for directive in (*MEASURED, *FORTRAN_MEASURED)}


def recorded(profile: RegionProfile) -> int:
    """Return the bytes of all visits of all threads."""
    kind, region = profile.region.kind, profile.region
    threads = [row.measured for row in profile.rows]
    visits = sum(m.execC for m in threads)
    if is_parallel(kind):
        trace_words = max((m.execC for m in threads), default=0) * (
            FORK + ASSEMBLED * region.by_arrival
        )
        trace_words += visits * (MEMBER - region.by_arrival + COMBINED * (" " in kind))
        trace_words += sum(m.bodyC for m in threads) * VISIT if "sections" in kind else 0
        trace_words += sum(m.bodyC for m in threads) * RAN if "taskloop" in kind else 0
    elif kind == "task":
        trace_words = sum(m.createC * CREATED + m.execC * RAN for m in threads)
    elif kind in TASKLOOPS:
        trace_words = visits * (VISIT + MAKING) + sum(m.bodyC for m in threads) * RAN
    elif kind == "lock":
        trace_words = visits * LOCKED
    else:
        row = _ROWS.get(kind)
        trace_words = visits * VISIT + (
            sum(events_inside(row, region, m) for m in threads) if row else 0
        )
    return trace_words * WORD
