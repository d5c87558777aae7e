"""Seconds that threads wait for each other at barriers, for locks and for criticals."""

from __future__ import annotations

import itertools

import numpy as np

from pomp_clang.causes.run.run import Cells, Run, once
from pomp_clang.causes.timeline.activity import Activity
from pomp_clang.causes.timeline.barriers import waited
from pomp_clang.causes.timeline.columns import is_any
from pomp_clang.causes.timeline.location_timeline import sums


@once
def barrier_wait_times(run: Run) -> dict[tuple[bool, bool], Cells]:
    """Return seconds of waiting at barriers, by (barrier is explicit, wait is for unfinished tasks)."""
    times = np.zeros((2, 2, len(run.paths), len(run.threads)))
    last, complete = run.instances.last, run.instances.done
    is_unfinished = is_any(complete > last)
    for thread, timeline, instance in zip(run.thread, run.timelines, run.instances.of, strict=True):
        arrivals = timeline.arrivals
        row = run.places.rows[arrivals.path] + arrivals.is_explicit * len(run.paths)
        ticks = [waited(timeline, instance, last)]
        if is_unfinished:
            ticks.append(waited(timeline, instance, complete, last))
        for for_tasks, of_cause in enumerate(ticks):
            moved = sums(row, of_cause, 2 * len(run.paths))
            times[:, for_tasks, :, thread] += moved.reshape(2, -1)
    times /= run.second
    splits = itertools.product((False, True), (False, True))
    return dict(zip(splits, times.reshape(4, *times.shape[2:]), strict=True))


@once
def lock_wait_times(run: Run) -> dict[bool, Cells]:
    """Return seconds of waiting for locks (key False) and for criticals (key True)."""
    contention, shape = run.contention, (len(run.paths), len(run.threads))
    (rows,) = contention.waited.nonzero()
    row = (
        run.places.rows[contention.path_at(rows)] * shape[1] + run.thread[contention.location[rows]]
    )
    row += (rows < contention.criticals) * (shape[0] * shape[1])
    moved = sums(row, contention.waited[rows] / run.second, 2 * shape[0] * shape[1])
    return dict(zip((False, True), moved.reshape(2, *shape), strict=True))


@once
def all_wait_times(run: Run) -> Cells:
    """Return seconds of waiting at barriers, for tasks in them, for locks and for criticals."""
    return np.asarray(
        sum((*barrier_wait_times(run).values(), *lock_wait_times(run).values()), run.cells())
    )


def wait_times_in(run: Run, activity: Activity) -> Cells:
    """Return seconds of waiting for other threads within one activity; 0 where it has no such wait."""
    if activity in (Activity.EXPLICIT, Activity.IMPLICIT):
        waits = barrier_wait_times(run)
        is_explicit = activity is Activity.EXPLICIT
        return waits[is_explicit, False] + waits[is_explicit, True]
    if activity in (Activity.CRITICAL, Activity.LOCK):
        return lock_wait_times(run)[activity is Activity.CRITICAL]
    return run.cells()
