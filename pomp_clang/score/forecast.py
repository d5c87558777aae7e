"""The forecast of a selection's cost, from a run that measured more.

Functions of one name are one candidate, since a filter's rule selects by name. Each construct is a
candidate, known by its number among its kind in its function.

A construct's position is what a filter's rule names: the functions around it, and its number there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import zip_longest

from pomp_clang.analysis.overheads.event_cost import exposed
from pomp_clang.analysis.overheads.off_processor import queued
from pomp_clang.analysis.perturbation import Perturbation, events_inside, perturbation, without
from pomp_clang.analysis.profile import RegionProfile, flat_profile
from pomp_clang.experiment.model import EventCosts, Experiment, Region
from pomp_clang.openmp.directives import MEASURED
from pomp_clang.openmp.fortran_directives import FORTRAN_MEASURED
from pomp_clang.openmp.kinds import TASKLOOPS, is_parallel

FUNCTION_MOST = 2.5
"""The cost of measuring a function, at most, over the price of its events. They keep it and its
callers from being optimized as one. The processor overlaps fewer of their waits for memory."""

CONSTRUCT_MOST = 2.0
"""The cost of measuring a construct, at most, over the price of its events: threads wait for those
that the events delay."""

_LEAST_LEFT = 0.125
"""The part of the estimated time without measurement that is certain. A run that is many times as
long for its events may have lost the rest to them, too."""


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
    own work, `trace` the bytes of a trace. `most` is the seconds of each thread that measuring them
    took at most.
    """

    name: str
    regions: tuple[Region, ...]
    visits: int
    cost: float
    inclusive: float
    trace: int
    most: tuple[float, ...]
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

    `overhead` is a share of the time without measurement, and `most` the share by which the run
    takes longer at most. `explained` is the share of all functions' inclusive time that the
    selection has.
    """

    functions: int
    constructs: int
    overhead: float
    most: float
    trace: int
    explained: float


@dataclass(frozen=True)
class Score:
    """The candidates of a run, the costliest first; `seconds` is all threads' time without
    measurement, and `least` the run time without it at least. `most` is the share by which the run took
    longer at most, infinite if unknown. `queued` is the share of the threads' time in which other
    programs had the processors.
    """

    functions: tuple[Candidate, ...]
    constructs: tuple[Candidate, ...]
    seconds: float
    least: float
    most: float
    queued: float

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
            self._most(_added((*functions, *constructs))),
            sum(candidate.trace for candidate in (*functions, *constructs)),
            measured / self._inclusive if self._inclusive > 0 else 1.0,
        )

    def within(self, budget: float, left_out: Collection[str] = ()) -> frozenset[str]:
        """Select candidates to leave out, so that the run takes longer by a share of its time at most.

        Constructs are kept before functions. Those with the lowest ratio of cost to explained time
        are kept first, and each one that still fits.
        """
        excluded = set(left_out)
        kept: tuple[float, ...] = ()
        for candidate in (
            *sorted(self.constructs, key=_cheapest),
            *sorted(self.functions, key=_cheapest),
        ):
            if candidate.key in excluded:
                continue
            both = _sums(kept, candidate.most)
            if self._most(both) <= budget:
                kept = both
            elif any(candidate.most):
                excluded.add(candidate.key)
        return frozenset(excluded)

    def _most(self, seconds: tuple[float, ...]) -> float:
        """Return the time of the thread with most cost as a share of the least run time."""
        longest = max(seconds, default=0.0)
        share = longest / self.least if self.least > 0 else float("inf") if longest else 0.0
        return min(share, self.most)


def _added(candidates: Iterable[Candidate]) -> tuple[float, ...]:
    """Return each thread's cost of the candidates, at most."""
    seconds: tuple[float, ...] = ()
    for candidate in candidates:
        seconds = _sums(seconds, candidate.most)
    return seconds


def _sums(one: tuple[float, ...], other: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(map(sum, zip_longest(one, other, fillvalue=0.0)))


def _costliest(candidate: Candidate) -> tuple[float, str]:
    return -candidate.cost, candidate.name


def _cheapest(candidate: Candidate) -> tuple[float, float, str]:
    return candidate.ratio, candidate.cost, candidate.key


def score(experiment: Experiment, duration: float | None = None) -> Score | None:
    """Compute the score of a run; None if the runtime did not measure its events' cost.

    With the `duration` of the program without measurement, the excess of the run's duration is the
    cost of the thread with most events. Without it, the cost of the events alone counts, and time in
    which other programs had the processors is subtracted from the run's. The run may then have lost
    as much as its events cost at most.
    """
    events = perturbation(experiment)
    if events is None:
        return None
    cost, most = events, float("inf")
    threads, waited = experiment.max_threads, queued(experiment) or 0.0
    measured = experiment.duration * threads
    seconds = max(0.0, measured - waited - cost.total)
    if duration is not None:
        seconds = duration * threads
        excess = max(0.0, experiment.duration - duration)
        longest = max(_by_thread(events, threads), default=0.0)
        if longest > 0:
            most = excess / duration
            experiment = replace(experiment, costs=_times(events.costs, excess / longest))
            cost = perturbation(experiment) or events
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
            _most_of_construct(experiment, events, cost, profile.region),
            positions[profile.region.id],
        )
        for profile in profiles
        if profile.region.kind != "function" and profile.execC
    ]
    bodies = [profile for profile in profiles if profile.region.kind == "function"]
    functions = list(_candidates(bodies, events, cost, threads))
    lost = sum(sum(candidate.most) for candidate in (*functions, *constructs))
    certain = max(seconds * _LEAST_LEFT, measured - waited - lost)
    return Score(
        tuple(sorted(functions, key=_costliest)),
        tuple(sorted(constructs, key=_costliest)),
        seconds,
        certain / max(1, threads) if duration is None else duration,
        most,
        waited / measured if measured else 0.0,
    )


def _by_thread(cost: Perturbation, threads: int) -> tuple[float, ...]:
    """Return the cost of all regions on each thread."""
    seconds = [0.0] * threads
    for (_, tid), value in cost.by_thread.items():
        seconds[tid] += value
    return tuple(seconds)


def _most_of_construct(
    experiment: Experiment, events: Perturbation, cost: Perturbation, region: Region
) -> tuple[float, ...]:
    """Return the seconds of each thread that measuring a construct takes at most, or its `cost`.

    Without `events`, the processor may overlap the wait of an atomic update for memory with other
    work. Threads wait for one another at other constructs.
    """
    seconds = []
    for tid in range(experiment.max_threads):
        own = events.by_thread.get((region.id, tid), 0.0)
        measured = experiment.profile.get((region.id, tid))
        if region.kind != "atomic":
            own *= CONSTRUCT_MOST
        elif measured is not None:
            own += exposed(measured, events.costs)
        seconds.append(max(own, cost.by_thread.get((region.id, tid), 0.0)))
    return tuple(seconds)


def _times(costs: EventCosts, factor: float) -> EventCosts:
    return EventCosts(*(getattr(costs, field.name) * factor for field in fields(costs)))


def _candidates(
    functions: Iterable[RegionProfile], events: Perturbation, cost: Perturbation, threads: int
) -> Iterable[Candidate]:
    by_name: dict[str, list[RegionProfile]] = {}
    for profile in functions:
        if profile.execC:
            by_name.setdefault(profile.region.sub_name, []).append(profile)
    for name, members in by_name.items():
        seconds, least = (
            [
                sum(known.by_thread.get((profile.region.id, tid), 0.0) for profile in members)
                for tid in range(threads)
            ]
            for known in (cost, events)
        )
        yield Candidate(
            name,
            tuple(profile.region for profile in members),
            sum(profile.execC for profile in members),
            sum(seconds),
            sum(profile.execT for profile in members),
            sum(map(recorded, members)),
            tuple(
                max(*both) for both in zip(seconds, (FUNCTION_MOST * v for v in least), strict=True)
            ),
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
