"""The run over time: the parts of the threads' time between two snapshots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pomp_clang.analysis.callpaths import callpath_profile
from pomp_clang.analysis.counters import Values, counted_between
from pomp_clang.analysis.run import AnalyzedRun, analyze_run
from pomp_clang.experiment.model import Experiment, Region, Snapshot


@dataclass(frozen=True, slots=True)
class TimelineStep:
    """The time between two snapshots, in seconds from the start.

    `cause` is the reason of the snapshot at its end, "end" for the program's end. `parts` are the
    seconds of all threads, named as in `AnalyzedRun.parts`. `busiest` is the region with the most
    exclusive time, with that time. `counted` has the values of `metrics_of` the counters, none if
    nothing was counted.
    """

    begin: float
    end: float
    cause: str
    unsettled: int
    parts: dict[str, float]
    busiest: Region | None
    busiestT: float
    counted: Values

    @property
    def total(self) -> float:
        """Seconds of all threads; rounding may make them differ from threads x length."""
        return sum(self.parts.values())


def timeline(experiment: Experiment, limit: int) -> tuple[TimelineStep, ...]:
    """Return at most `limit` steps, which then span several snapshots; none without snapshots."""
    if not experiment.snapshots:
        return ()
    counters = experiment.counters
    end = replace(experiment.snapshots[-1], cause="end", time=experiment.duration, unsettled=0)
    final = replace(
        end,
        profile=experiment.profile,
        callpath_profile=experiment.callpath_profile,
        mpi=experiment.mpi,
        locations=experiment.locations,
        counted=counters.values if counters else {},
    )
    steps: list[TimelineStep] = []
    parts: dict[str, float] = {}
    exclusive: dict[str, float] = {}
    counted: dict[tuple[str, int], tuple[int, ...]] = {}
    begin = 0.0
    for snapshot in (*_thinned(experiment.snapshots, limit - 1), final):
        run = analyze_run(experiment.at(snapshot))
        regions = {region.id: region for region in experiment.regions}
        now_parts, exclusive_now = run.parts(), _exclusive_times(run)
        gained = {ident: time - exclusive.get(ident, 0.0) for ident, time in exclusive_now.items()}
        busiest = max(gained, key=lambda ident: gained[ident], default="")
        busiest_time = max(0.0, gained.get(busiest, 0.0))
        steps.append(
            TimelineStep(
                begin,
                snapshot.time,
                snapshot.cause,
                snapshot.unsettled,
                {name: max(0.0, now_parts[name] - parts.get(name, 0.0)) for name in now_parts},
                regions[busiest] if busiest_time > 0 else None,
                busiest_time,
                counted_between(counters, counted, snapshot.counted) if counters else (),
            )
        )
        begin, parts, exclusive, counted = snapshot.time, now_parts, exclusive_now, snapshot.counted
    return tuple(steps)


def _thinned(snapshots: Sequence[Snapshot], limit: int) -> list[Snapshot]:
    """Select snapshots evenly spread over the sequence, with the last one."""
    count = len(snapshots)
    if count <= limit:
        return list(snapshots)
    return [snapshots[(i + 1) * count // limit - 1] for i in range(limit)]


def _exclusive_times(run: AnalyzedRun) -> dict[str, float]:
    """Return the exclusive seconds of all threads by region."""
    exclusive: dict[str, float] = {}
    for path in callpath_profile(run.experiment):
        exclusive[path.region.id] = exclusive.get(path.region.id, 0.0) + path.exclusive
    return exclusive
