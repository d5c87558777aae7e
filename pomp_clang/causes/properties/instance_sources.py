"""The intervals that properties take their instances from: waits, idle time, locks, activities."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.properties.measurement_cost import own_cost
from pomp_clang.causes.run.idle import (
    busy_of,
    everyone_at_once,
    idle_in,
    other_threads,
    serial_of,
)
from pomp_clang.causes.run.instance import LEAST, Instances, in_pieces, joined, piece_of
from pomp_clang.causes.run.run import Cells, Run
from pomp_clang.causes.run.thread_timeline import PART, unchanged
from pomp_clang.causes.run.thread_timeline import parts_of as timeline_parts_of
from pomp_clang.causes.timeline.activity import NOT_WAITING, Activity, are
from pomp_clang.causes.timeline.columns import overlaps, rows_by
from pomp_clang.causes.timeline.interval_kernel import IntervalSelection
from pomp_clang.causes.timeline.location_timeline import over
from pomp_clang.causes.waits.delay_costs import held_up, indirect_of
from pomp_clang.causes.waits.find_critical_path import path_of
from pomp_clang.causes.waits.kernel_waits import beside_kernels
from pomp_clang.causes.waits.thread_waits import waited_for_last, waited_for_tasks
from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace.kernel import load, members, point
from pomp_clang.trace.model import Ints

_NEVER = np.iinfo(np.int64).max

Pieces = Iterable[Instances]


def intervals(run: Run, activities: tuple[Activity, ...]) -> Pieces:
    """Yield each interval in which a thread does one of the activities."""
    for thread in _threads_of(run, activities):
        yield from _intervals_of(run, thread, activities)


def _threads_of(run: Run, activities: tuple[Activity, ...]) -> list[int]:
    """Return the threads that do one of the activities."""
    is_there = np.any(run.spent[:, :, list(activities)], axis=(1, 2))
    threads: list[int] = np.flatnonzero(is_there).tolist()
    return threads


def _intervals_of(run: Run, thread: int, activities: tuple[Activity, ...]) -> Pieces:
    for timeline in timeline_parts_of(run, thread, activities):
        at = np.flatnonzero(are(timeline.activity, *activities))
        begin, end = timeline.begin[at], over(timeline.begin, at, timeline.end)
        yield piece_of(run.second, thread, timeline.path[at], begin, end, end - begin)


def shares(run: Run, activities: tuple[Activity, ...], part: Cells) -> Pieces:
    """Yield each interval in which a thread does one of the activities, with a part of its severity,
    which is that of its call path and thread. Pieces have `LEAST` instances where that is
    possible."""
    waiting, is_any = 0, np.any(part > 0, axis=0)
    for thread in _threads_of(run, activities):
        if not is_any[thread]:
            continue
        unchanged_timelines = unchanged(run, thread, activities)
        if unchanged_timelines is None:
            for piece in scaled(_intervals_of(run, thread, activities), part):
                yield piece
                waiting = _still_waiting(waiting, piece)
            continue
        for timeline in unchanged_timelines:
            selection = IntervalSelection(
                timeline, activities, run.places.rows, part[:, thread], run.second
            )
            while not selection.is_over():
                some = selection.next(PART, LEAST - waiting)
                at = np.broadcast_to(np.asarray(thread), some.severity.shape)
                piece = Instances(at, some.place, some.begin, some.end, some.severity)
                yield piece
                waiting = _still_waiting(waiting, piece)


def _still_waiting(waiting: int, piece: Instances) -> int:
    """Return the number of instances that wait to be processed together with more, after a piece."""
    count = waiting + len(piece.severity)
    return 0 if count >= LEAST else count


def scaled(pieces: Pieces, part: Cells) -> Pieces:
    """Yield instances with a part of their severity, which is that of their call path and thread."""
    for piece in pieces if (part > 0).any() else ():
        severity = piece.severity * part[piece.path, piece.thread]
        yield replace(piece, severity=severity).take(np.flatnonzero(severity > 0))


def barrier_waits(
    run: Run,
    is_explicit: bool,
    for_tasks: bool,
    after_cancel: bool = False,
    with_kernels: bool = False,
) -> Pieces:
    """Yield waits at barriers until the last thread has come, or from then until its tasks are
    done; without waits for kernels, unless `with_kernels`."""
    last, done = run.instances.last, run.instances.done
    for row, (timeline, of) in enumerate(zip(run.timelines, run.instances.of, strict=True)):
        arrivals = timeline.arrivals
        if not with_kernels:
            ticks = beside_kernels(run, row, for_tasks)
        else:
            ticks = waited_for_tasks(run, row) if for_tasks else waited_for_last(run, row)
        is_one = (arrivals.is_explicit == is_explicit) & (ticks > 0)
        if after_cancel:
            is_one &= arrivals.is_cancelled
        for some in in_pieces(np.flatnonzero(is_one)):
            enter, severity, which = arrivals.enter[some], ticks[some], of[some]
            begin = np.maximum(enter, last[which]) if for_tasks else enter
            end = done[which] if for_tasks else last[which]
            # Time may have gone by since it entered in which it ran tasks.
            end = np.minimum(
                np.maximum(end, begin + severity), np.maximum(arrivals.leave[some], begin)
            )
            path = run.places.rows[arrivals.path[some]]
            yield piece_of(run.second, int(run.thread[row]), path, begin, end, severity)


def contention(run: Run, is_critical: bool) -> Pieces:
    """Yield waits for criticals, or for locks."""
    rows = _waited_for(run)
    yield from _for_locks(run, rows[(rows < run.contention.criticals) == is_critical])


def waits_of_another(run: Run, is_wait: bool) -> Pieces:
    """Yield waits at barriers, each with the part that is due to another thread's wait, or with the
    part that is due to its work; the latter with all waits for locks."""
    indirect, last = indirect_of(run), run.instances.last
    for row, (timeline, of) in enumerate(zip(run.timelines, run.instances.of, strict=True)):
        arrivals, ticks = timeline.arrivals, waited_for_last(run, row)
        for some in in_pieces(np.flatnonzero(ticks > 0)):
            which, begin = of[some], arrivals.enter[some]
            part = indirect[which] if is_wait else 1 - indirect[which]
            path, end = run.places.rows[arrivals.path[some]], np.maximum(begin, last[which])
            yield piece_of(run.second, int(run.thread[row]), path, begin, end, ticks[some] * part)
    if not is_wait:
        yield from _for_locks(run, _waited_for(run))


def propagating(run: Run) -> Pieces:
    """Yield the waits for locks that make other threads wait."""
    yield from _for_locks(run, held_up(run))


def terminal(run: Run) -> Pieces:
    """Yield the waits for which no other thread waits."""
    for is_explicit in (False, True):
        yield from barrier_waits(run, is_explicit, for_tasks=False, with_kernels=True)
    rows = _waited_for(run)
    makes_wait = np.zeros(len(run.contention.waited), np.bool_)
    makes_wait[held_up(run)] = True
    yield from _for_locks(run, rows[~makes_wait[rows]])


def _waited_for(run: Run) -> Ints:
    """Return rows of the run's `contention`."""
    return np.flatnonzero(run.contention.waited > 0)


def _for_locks(run: Run, rows: Ints) -> Pieces:
    locks = run.contention
    for some in in_pieces(rows):
        path, thread = run.places.rows[locks.path_at(some)], run.thread[locks.location[some]]
        request, ticks = locks.requested_at(some), locks.waited[some]
        yield piece_of(run.second, thread, path, request, request + ticks, ticks)


def idle(run: Run) -> Pieces:
    """Yield the intervals in which threads are idle, outside teams and beside smaller ones."""
    yield from serial(run)
    yield from limited(run)


def serial(run: Run) -> Pieces:
    """Yield each interval of the main thread outside teams, on the other threads."""
    yield from not_busy(run, *serial_of(run))


def limited(run: Run) -> Pieces:
    """Yield each team of the main thread, on the threads that are not in it all the time."""
    members = run.membership
    main_teams = members.outermost_of(run.main)
    path = run.places.rows[members.path[main_teams]]
    yield from not_busy(run, members.fork[main_teams], members.join[main_teams], path)


def not_busy(run: Run, since: Ints, until: Ints, path: Ints) -> Pieces:
    """Yield intervals in which the main thread is busy, on each thread that has nothing to do in a
    part of them."""
    for thread in other_threads(run):
        busy_begin, busy_end = busy_of(run, thread)
        for some in in_pieces(np.arange(len(since))):
            begin, end = since[some], until[some]
            rows = slice(
                np.searchsorted(busy_end, begin[0], "right"),
                np.searchsorted(busy_begin, end.max(), "left"),
            )
            ticks = idle_in(run, (busy_begin[rows], busy_end[rows]), begin, end)
            yield piece_of(run.second, thread, path[some], begin, end, ticks)


def critical(run: Run) -> Pieces:
    """Yield what threads do while they are on the critical path."""
    part = path_of(run)
    pieces = rows_by(run.thread[part.location], len(run.threads))
    for thread, rows in enumerate(pieces):
        own_rows, otherwise = rows[::-1], _first_path(run, thread)
        since, until = part.begin[own_rows], part.end[own_rows]
        for timeline in timeline_parts_of(run, thread):
            inside = slice(
                np.searchsorted(until, timeline.begin[0], "right"),
                np.searchsorted(since, timeline.end, "left"),
            )
            cut = overlaps((since[inside], until[inside]), (timeline.begin, timeline.ends))
            path = timeline.path[cut.other]
            path[timeline.activity[cut.other] == Activity.OUTSIDE] = otherwise
            yield piece_of(run.second, thread, path, cut.begin, cut.end, cut.end - cut.begin)


def _first_path(run: Run, thread: int) -> int:
    path = run.as_worker(thread)
    return int(run.places.rows[run.membership.path[path[0]]]) if len(path) else 0


def impact(run: Run) -> Pieces:
    """Yield the same, each with the time of all threads."""
    for part in critical(run):
        yield replace(part, severity=part.severity * everyone_at_once(run))


class _CellsStruct(ctypes.Structure):
    """`struct pomp_cells` of runtime/replay/tally.h."""

    _fields_ = members(
        "COUNT", "cell", "begin", "end", "severity", "sum", "number", "since", "until"
    )


@dataclass(frozen=True, slots=True)
class _Totals:
    """Totals of instances by call path and thread: `severity` and their number, `count`, the first
    begin `since` and the last end `until`."""

    severity: npt.NDArray[np.float64]
    count: Ints
    since: Ints
    until: Ints

    def add(self, piece: Instances, cell: Ints) -> None:
        run = _CellsStruct(count=len(cell))
        columns: dict[str, npt.NDArray[Any]] = {
            "cell": np.ascontiguousarray(cell, np.int64),
            "begin": np.ascontiguousarray(piece.begin, np.int64),
            "end": np.ascontiguousarray(piece.end, np.int64),
            "severity": np.ascontiguousarray(piece.severity, np.float64),
            "sum": self.severity, "number": self.count, "since": self.since, "until": self.until,
        }  # fmt: skip
        for name, column in columns.items():
            point(run, name, column)
        load().pomp_add_to_cells(ctypes.byref(run))


@dataclass(frozen=True, slots=True)
class InstanceSource:
    """Instances of which several properties take a part each."""

    pieces: Callable[[Run], Pieces]

    def tallied(self, run: Run) -> Pieces:
        """Yield the instances. After the last one, their totals are known."""
        shape = len(run.paths), len(run.threads)
        since, until = np.full(shape, _NEVER), np.full(shape, -_NEVER)
        totals = _Totals(run.cells(), np.zeros(shape, np.int64), since, until)
        for piece in self.pieces(run):
            totals.add(piece, cell_of(run, piece))
            yield piece
        run.memo[self] = totals

    def totals(self, run: Run) -> _Totals:
        """Return the totals of all instances."""
        if self not in run.memo:
            for _ in self.tallied(run):
                pass
        totals: _Totals = run.memo[self]
        return totals


def cell_of(run: Run, some: Instances) -> Ints:
    """Return each instance's call path and thread as one number."""
    return np.asarray(some.path * np.int64(len(run.threads)) + some.thread)


@dataclass(frozen=True, slots=True)
class SharedInstances:
    """Instances of a severity that is known for a call path and thread as a whole.

    Each instance of the source has a part of it by its own severity. A thread that has none there has
    one instance, while other threads are there.
    """

    severity: Cells
    source: InstanceSource
    run: Run

    def __iter__(self) -> Iterator[Instances]:
        part = self._part()
        for piece in self.source.pieces(self.run) if (part > 0).any() else ():
            yield self._part_of(piece, part)
        yield self._without_source()

    def worst(self, candidates: Instances) -> Instances:
        """Return the instances for some of the source's, and those of threads without any."""
        return joined((self._part_of(candidates, self._part()), self._without_source()))

    def totals(self) -> tuple[int, float]:
        """Return the number of instances, and their severity."""
        rest, has_part = self._without_source(), self._part() > 0
        count = self.source.totals(self.run).count.reshape(-1)[has_part].sum()
        seconds = self.severity.reshape(-1)[has_part].sum()
        return int(count) + len(rest.severity), float(seconds + rest.severity.sum())

    def _part_of(self, piece: Instances, part: npt.NDArray[np.float64]) -> Instances:
        seconds = piece.severity * part[cell_of(self.run, piece)]
        return replace(piece, severity=seconds).take(np.flatnonzero(seconds > 0))

    def _without_source(self) -> Instances:
        """Return the instances of threads that the source has none of."""
        totals = self.source.totals(self.run)
        rest = np.where(totals.severity > 0, 0, self.severity)
        since, until = totals.since.min(axis=1), totals.until.max(axis=1)
        path, thread = np.nonzero((rest > 0) & (since < until)[:, None])
        return Instances(thread, path, since[path], until[path], rest[path, thread])

    def _part(self) -> npt.NDArray[np.float64]:
        whole = self.source.totals(self.run).severity
        part = np.divide(self.severity, whole, out=self.run.cells(), where=whole > 0)
        return part.reshape(-1)


def shared(severity: Cells, source: InstanceSource, run: Run) -> SharedInstances:
    """Build the instances of a severity that is known for a call path and thread as a whole."""
    return SharedInstances(severity, source, run)


def _each_alike(run: Run) -> Pieces:
    """Yield intervals that count alike, as visits cost the same however long they are."""
    for interval in intervals(run, tuple(own_cost(run))) if own_cost(run) else ():
        yield replace(interval, severity=np.ones(len(interval.severity)))


def computing(run: Run) -> Pieces:
    """Yield the intervals in which threads compute, or map data."""
    return intervals(run, NOT_WAITING)


def held(run: Run) -> Pieces:
    """Yield the time in which locks and criticals are held while others wait, on the holder."""
    locks = run.contention
    rows = np.flatnonzero(locks.waited > 0)
    path, location = locks.holder_at(rows)
    ticks, freed = locks.waited[rows], locks.freed[rows]
    yield piece_of(
        run.second, run.thread[location], run.places.rows[path], freed - ticks, freed, ticks
    )


def alone(run: Run) -> Pieces:
    """Yield what the main thread does while others are idle."""
    for interval in idle(run):
        yield replace(interval, thread=np.full(len(interval.thread), run.thread[run.main]))


COMPUTED, ALIKE, ON_PATH = map(InstanceSource, (computing, _each_alike, critical))
"""Sources that several properties share."""
