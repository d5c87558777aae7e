"""Waits of threads for each other: their seconds at barriers, for locks and for criticals, and the
waits that end when another thread creates or ends a task, or gives its turn.
"""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Iterator

import numpy as np

from pomp_clang.causes.run.idle import created_threads, joins_of
from pomp_clang.causes.run.run import Cells, Run, once
from pomp_clang.causes.timeline.activity import Activity
from pomp_clang.causes.timeline.barriers import met_by_all, waited
from pomp_clang.causes.timeline.columns import Durations, is_any, narrowed
from pomp_clang.causes.timeline.location_timeline import Flags, sums
from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace.kernel import load, members, point
from pomp_clang.trace.model import Ints


@once
def is_met_by_all(run: Run) -> Flags:
    """Return the result of `met_by_all` for the run's barrier instances."""
    return met_by_all(run.instances, run.teams)


@once
def _until_last(run: Run) -> list[Durations]:
    last = run.instances.last
    return [
        narrowed(waited(timeline, instance, last))
        for timeline, instance in zip(run.timelines, run.instances.of, strict=True)
    ]


@once
def _has_tasks_left(run: Run) -> bool:
    """Return whether tasks ran in any barrier after its last member had arrived."""
    return is_any(run.instances.done > run.instances.last)


def waited_for_last(run: Run, row: int) -> Ints:
    """Return the ticks that each arrival of a location waited for the last member."""
    return _until_last(run)[row].astype(np.int64)


def waited_for_tasks(run: Run, row: int) -> Ints:
    """Return the ticks that each arrival of a location waited after that until the tasks had
    ended."""
    instance = run.instances.of[row]
    if not _has_tasks_left(run):
        return np.zeros(len(instance), np.int64)
    return waited(run.timelines[row], instance, run.instances.done, run.instances.last)


@once
def barrier_wait_times(run: Run) -> dict[tuple[bool, bool], Cells]:
    """Return seconds of waiting at barriers, by (barrier is explicit, wait is for unfinished tasks)."""
    times = np.zeros((2, 2, len(run.paths), len(run.threads)))
    for number, (thread, timeline) in enumerate(zip(run.thread, run.timelines, strict=True)):
        arrivals = timeline.arrivals
        row = run.places.rows[arrivals.path] + arrivals.is_explicit * len(run.paths)
        ticks = [waited_for_last(run, number)]
        if _has_tasks_left(run):
            ticks.append(waited_for_tasks(run, number))
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


@dataclass(frozen=True, slots=True)
class WaitDependencies:
    """A location's waits, from `begin` to `end`. Each ends because of what the location `cause` had
    done by `since`."""

    begin: Ints
    end: Ints
    cause: Ints
    since: Ints


def _resolved(run: Run) -> list[WaitDependencies]:
    return list(_by_location(run))


awaited_of = once(_resolved)
"""Returns the resolved waits of each location, and keeps them."""


def drop_awaited(run: Run) -> None:
    """Drop the resolved waits, to save memory."""
    run.memo.pop(_resolved, None)


def _by_location(run: Run) -> Iterator[WaitDependencies]:
    """Yield the resolved waits of each location.

    A wait for tasks ends when a task ends. A wait in which the thread ran a task, or a wait in a
    barrier, ends when a task is created. A wait in an ordered construct ends when another thread
    gives its turn. The trace does not say which thread ended a wait, so the latest such event of
    another thread is taken; waits without one are dropped. A thread that the program made begins
    when the main thread has made it, which may wait for it.
    """
    starter, began = (
        created_threads(run) if run.timelines else (none := np.zeros(0, np.int64), none)
    )
    joins = joins_of(run)
    ended = Moments([timeline.tasks.ended for timeline in run.timelines])
    turn_ends = Moments([timeline.turns.granted for timeline in run.timelines])
    created = Moments([timeline.tasks.created for timeline in run.timelines])
    for number, timeline in enumerate(run.timelines):
        waits, tasks, turns = timeline.waits, timeline.tasks, timeline.turns
        continues = np.flatnonzero(waits.arrival[1:] == waits.arrival[:-1])
        last, other = tasks.is_last, ~tasks.is_last
        resolved = (
            created.newest(number, waits.begin[continues], waits.end[continues]),
            created.newest(number, tasks.wait_began[other], tasks.wait_ended[other]),
            ended.newest(number, tasks.wait_began[last], tasks.wait_ended[last]),
            turn_ends.newest(number, turns.wait_began, turns.wait_ended),
            *([(joins.begin, joins.end, joins.cause, joins.end)] if number == run.main else []),
            *(_creation_wait(run, int(when)) for when in began[starter == number]),
        )
        yield WaitDependencies(*(np.concatenate(column) for column in zip(*resolved, strict=True)))


def _creation_wait(run: Run, began: int) -> tuple[Ints, Ints, Ints, Ints]:
    """Return the wait of a thread until the main one has made it."""
    moment = np.array([began], np.int64)
    return np.array([run.start], np.int64), moment, np.array([run.main], np.int64), moment


class _MomentsStruct(ctypes.Structure):
    """`struct pomp_moments` of runtime/replay/search.h."""

    _fields_ = members("COUNT", "time", "location", "before")


class _AwaitingStruct(ctypes.Structure):
    """`struct pomp_awaiting` of runtime/replay/search.h."""

    _fields_ = (
        ("of", _MomentsStruct),
        ("location", ctypes.c_int64),
        *members("WAITS", "begin", "end", "rows"),
    )


class Moments:
    """The moments at which locations did something that can end a wait, in time order; at the same
    moment the first location comes last."""

    def __init__(self, moments: list[Ints]) -> None:
        time = np.concatenate([np.zeros(0, np.int64), *reversed(moments)])
        numbers = np.arange(len(moments), dtype=np.int32)[::-1]
        order = np.argsort(time, kind="stable")
        self._time = time[order]
        self._location = numbers.repeat([len(column) for column in reversed(moments)])[order]
        self._before = np.empty(len(time), np.int32)
        self._struct = _MomentsStruct(count=len(time))
        for name in ("time", "location", "before"):
            point(self._struct, name, getattr(self, f"_{name}"))
        load().pomp_link_moments(ctypes.byref(self._struct))

    def newest(self, location: int, begin: Ints, end: Ints) -> tuple[Ints, Ints, Ints, Ints]:
        """Return begin, end, cause and moment of each wait in which another location did something,
        for the latest such moment."""
        rows = np.empty(len(end), np.int32)
        run = _AwaitingStruct(of=self._struct, location=location, waits=len(end))
        columns = {"begin": begin, "end": end, "rows": rows}
        kept = {name: np.ascontiguousarray(column) for name, column in columns.items()}
        for name, column in kept.items():
            point(run, name, column)
        load().pomp_find_awaited(ctypes.byref(run))
        known = np.flatnonzero(rows >= 0)
        rows = rows[known]
        return begin[known], end[known], self._location[rows].astype(np.int64), self._time[rows]
