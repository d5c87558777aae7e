"""What-if predictions of run times.

A process is expected to run without an inefficiency at a call path, and a program without waits of
its processes for each other.

A repair of the host's work does not end a wait for kernels. So only a part of a prediction is left
if kernels keep threads waiting as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from pomp_clang.causes.cube.algebra import of_all
from pomp_clang.causes.properties import completion, openmp
from pomp_clang.causes.properties.property import Property, Remedy
from pomp_clang.causes.run.idle import threads_at_once, unused
from pomp_clang.causes.run.points import Point
from pomp_clang.causes.run.run import Cells, Run
from pomp_clang.causes.timeline.columns import are_among, firsts, is_any
from pomp_clang.causes.timeline.location_timeline import OF_REGION
from pomp_clang.causes.waits.kernel_waits import join_wait_times, kernel_times_of
from pomp_clang.causes.waits.wait_graph import graph_of
from pomp_clang.causes.what_if.change_barriers import balanced, completed, divided, stopped
from pomp_clang.causes.what_if.remove_work import shared_out, skipped
from pomp_clang.causes.what_if.scale_work import added, scale
from pomp_clang.causes.what_if.share_tasks import tasks_shared
from pomp_clang.causes.what_if.simulate import Case, ChangedTrace, as_it_is, end_of, recorded_end

_AT_BARRIERS: dict[type[Property], tuple[str, bool]] = {
    openmp.ImplicitWait: ("last", False),
    openmp.ExplicitWait: ("last", True),
    openmp.ImplicitUnfinished: ("done", False),
    openmp.ExplicitUnfinished: ("done", True),
    completion.ImplicitCompletion: ("left", False),
    completion.ExplicitCompletion: ("left", True),
}


def part_beside_kernels(run: Run, kind: type[Property], paths: Sequence[int]) -> float:
    """Return the property's part of its own time and of the waits for kernels beside it."""
    if kind is openmp.Join:
        kernels: Cells = join_wait_times(run)
    elif kind in _AT_BARRIERS:
        kernels = kernel_times_of(run, *_AT_BARRIERS[kind])
    else:
        return 1.0
    awaited = float(kernels[list(paths)].sum())
    if not awaited:
        return 1.0
    severity = kind().severity(run)
    own = 0.0 if severity is None else float(severity[list(paths)].sum())
    return own / (own + awaited)


def gain_of(run: Run, kind: type[Property], path: int, *others: int) -> float | None:
    """Return the predicted gain in seconds if all these call paths are repaired together; None if
    it is unknown, as for what depends on other processes."""
    if not run.timelines or kind.remedy is Remedy.IN_TIME:
        return None
    paths = (path, *others)
    changes = (changed_of, _dropped, _divided)
    ends = (_changed_end(run, change, kind, paths) for change in changes)
    end = min((known for known in ends if known is not None), default=None)
    if end is None:
        return None
    gain = max(0.0, recorded_end(run) - end) / run.second
    return gain * part_beside_kernels(run, kind, paths) if gain else gain


_Change = Callable[[Run, type[Property], int], ChangedTrace | None]


def _changed_end(
    run: Run, change: _Change, kind: type[Property], paths: Sequence[int]
) -> float | None:
    """Return the ticks of the trace with a change at all these call paths; None if it is unknown.
    The changed trace leaves the memory before the next one is made."""
    changed = together([change(run, kind, place) for place in paths], as_it_is(run))
    return None if changed is None else end_of(run, graph_of(run), changed)


def together(changes: Sequence[ChangedTrace | None], same: ChangedTrace) -> ChangedTrace | None:
    """Return the trace with all these changes of different call paths; None if one is unknown."""
    known = [changed for changed in changes if changed is not None]
    if len(known) < len(changes):
        return None
    if len(known) == 1:
        return known[0]
    is_free, tail = same.is_free.copy(), same.tail
    for changed in known:
        is_free |= changed.is_free
        tail += changed.tail - same.tail
    work = added(same.work, [changed.work for changed in known])
    lag = added(same.lag, [changed.lag for changed in known])
    return ChangedTrace(work, lag, is_free, tail)


def changed_of(run: Run, kind: type[Property], path: int) -> ChangedTrace | None:
    """Return the trace without an inefficiency at a call path. Return None if no change is known,
    as for waits for other processes, which `job.wait_repairs` changes."""
    if kind.remedy not in _CHANGES:
        return None
    return _CHANGES[kind.remedy](_case(run, kind, path), as_it_is(run))


def _case(run: Run, kind: type[Property], path: int) -> Case:
    return Case(run, graph_of(run), kind, path, run.places.rows == path)


def _dropped(run: Run, kind: type[Property], path: int) -> ChangedTrace | None:
    """Return the trace without waits in a barrier, the other remedy for these; leaving the barrier
    still takes its time. Return None if the barrier has to stay: it ends a region, or threads run
    tasks in it."""
    if kind.remedy is not Remedy.BALANCE:
        return None
    case, same = _case(run, kind, path), as_it_is(run)
    for timeline in run.timelines:
        arrivals = timeline.arrivals
        has_to_stay = (arrivals.ordinal == OF_REGION) | (arrivals.final > arrivals.enter)
        if is_any(case.is_here[arrivals.path] & has_to_stay):
            return None
    work = same.work.astype(np.result_type(same.work, same.lag))
    np.copyto(work, same.lag, where=case.at(Point.PASS))
    return ChangedTrace(work, same.lag, case.at(Point.ARRIVE), same.tail)


def _divided(run: Run, kind: type[Property], path: int) -> ChangedTrace | None:
    """Return the trace with a wait for tasks that the team shares; None for other properties."""
    if kind is not openmp.Taskwait:
        return None
    return tasks_shared(_case(run, kind, path), as_it_is(run))


def _let_in(case: Case, same: ChangedTrace) -> ChangedTrace:
    return ChangedTrace(same.work, same.lag, case.at(Point.ACQUIRED), same.tail)


def _widened(case: Case, same: ChangedTrace) -> ChangedTrace:
    """Return the trace in which idle threads join the team: the work of each member shrinks in
    proportion."""
    run, graph = case.run, case.graph
    begins = np.flatnonzero(case.at(Point.BEGIN))
    ends = np.flatnonzero(case.at(Point.ARRIVE))[::-1]
    teams = len(run.teams.number)
    begin_key, end_key = (
        team + graph.location_of(rows) * teams
        for rows, team in (
            (begins, graph.object[begins]),
            (ends, run.instances.team[graph.object[ends] - graph.instances_from]),
        )
    )
    first, last = firsts(begin_key), firsts(end_key)
    first = first[are_among(begin_key[first], end_key[last])]
    member = begin_key[first]
    last = last[end_key[last].searchsorted(member)]
    thread_ticks = threads_at_once(run) * np.maximum(1, run.teams.join - run.teams.fork)
    left = 1 - np.minimum(1, unused(run) / thread_ticks)
    work = same.work.astype(np.float64)
    scale(same.work, begins[first], ends[last], left[member % teams], work)
    return ChangedTrace(work, same.lag, same.is_free, same.tail)


def _unpredicted(case: Case, same: ChangedTrace) -> ChangedTrace | None:
    """Return None: it is unknown how much of the work another part of the machine can take."""
    return None


_CHANGES: dict[Remedy, Callable[[Case, ChangedTrace], ChangedTrace | None]] = {
    Remedy.BALANCE: balanced,
    Remedy.DIVIDE: divided,
    Remedy.COMPLETE: completed,
    Remedy.STOP: stopped,
    Remedy.LET_IN: _let_in,
    Remedy.SHARE_OUT: shared_out,
    Remedy.WIDEN: _widened,
    Remedy.OVERLAP: _unpredicted,
    Remedy.SKIP: skipped,
    Remedy.IN_TIME: _let_in,
}


class ProgramPrediction:
    """Predictions for the call paths of all processes, numbered as in their merged cube. The
    program ends with its last process."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self._runs = runs
        _, self._rows = of_all([run.paths for run in runs])

    def gain_of(self, kind: type[Property], path: int, *others: int) -> float | None:
        """Return the predicted gain in seconds; None if it is unknown for a process that has the
        call path."""
        left = []
        for run, rows in zip(self._runs, self._rows, strict=True):
            is_at_path = [rows == place for place in (path, *others)]
            own_rows = np.flatnonzero(np.any(is_at_path, axis=0)).tolist()
            gained = gain_of(run, kind, *own_rows) if own_rows and run.timelines else 0.0
            if gained is None:
                return None
            left.append(run.duration - gained)
        return max(0.0, max(run.duration for run in self._runs) - max(left))
