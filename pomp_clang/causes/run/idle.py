"""Threads that OpenMP has reserved and that have nothing to do, and the initial thread where it
waits for threads that the program made itself.

A nested team may have threads of its own while those of the pool wait, so that a run has more
threads than are busy at any time. The idle time of all threads counts those at a time only: each
thread has a part of it in proportion.

No event tells of `pthread_create` and `pthread_join`.  But a thread of the program's own can begin
only after the initial thread has made it. While such threads work, an initial thread without an
event and without a processor waits for them: until one of them last ended a team or its work.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pomp_clang.causes.run.run import Cells, Run, last_of, once
from pomp_clang.causes.timeline.activity import Activity
from pomp_clang.causes.timeline.columns import where
from pomp_clang.causes.timeline.location_timeline import Ticks, over, sums, within
from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace.model import Ints

_MOSTLY = 0.5
"""Maximum share of the apparent wait time that the initial thread may be on a processor."""


_PARTS = 256
"""Parts of a tick to which the idle time is rounded, where fewer threads than all are idle."""


@dataclass(frozen=True, slots=True)
class Joins:
    """The initial thread's waits, in order, from `begin` to `end`: then the location `cause` ended
    the awaited work. `path` is a row of the run's."""

    begin: Ints
    end: Ints
    cause: Ints
    path: Ints


@once
def outside_teams(run: Run) -> tuple[Ints, Ints, Ints]:
    """Return when the main thread is outside teams, from when to when, and at which call path."""
    rows, since, until = _outside_teams(run)
    path = np.zeros(len(rows), np.int64)
    path[rows > 0] = run.places.rows[run.timelines[run.main].path[rows[rows > 0] - 1]]
    return since, until, path


@once
def maps_of(run: Run) -> tuple[Ints, Ints, Ints]:
    """Return when the main thread maps data by target data outside teams, and at which call path."""
    rows, _, _ = _outside_teams(run)
    is_map = np.zeros(len(rows), np.bool_)
    is_map[rows > 0] = run.timelines[run.main].activity[rows[rows > 0] - 1] == Activity.MAP
    since, until, path = outside_teams(run)
    return since[is_map], until[is_map], path[is_map]


@once
def _outside_teams(run: Run) -> tuple[Ints, Ints, Ints]:
    """Return the intervals of the main thread outside teams: the row of each in its timeline plus
    one, from when, and to when."""
    timeline = run.timelines[run.main]
    main_rows = run.membership.outermost_of(run.main)
    fork, join = run.membership.fork[main_rows], run.membership.join[main_rows]
    since = np.append(np.int64(run.start), timeline.begin)
    first = np.append(0, np.searchsorted(since, join))
    count = np.maximum(0, np.append(np.searchsorted(since, fork), len(since)) - first)
    rows = np.repeat(first - (np.cumsum(count) - count), count) + np.arange(count.sum())
    return rows, since[rows], over(since, rows, run.end)


@once
def created_threads(run: Run) -> tuple[Ints, Ints]:
    """Return the locations of threads that the program created itself while the main thread was
    outside teams, and when it created each. If the main thread waits then, that is before its wait."""
    roots = _roots(run)
    begin = np.array([run.timelines[row].begin[0] for row in roots], np.int64)
    if not len(roots):
        return begin, begin
    since, until, _ = outside_teams(run)
    piece = np.searchsorted(since, begin, "right") - 1
    known = np.flatnonzero((piece >= 0) & (begin <= until[piece]))
    begin, joins = begin[known], joins_of(run)
    wait = np.searchsorted(joins.begin, begin, "right") - 1
    waits = (wait >= 0) & (begin <= np.append(joins.end, 0)[wait])
    begin[waits] = joins.begin[wait[waits]]
    return np.array(roots, np.int64)[known], begin


@once
def joins_of(run: Run) -> Joins:
    """Return the waits; none where the initial thread had a processor for most of them."""
    roots, none = _roots(run), np.zeros(0, np.int64)
    since, until, path = outside_teams(run) if roots else (none, none, none)
    cause, ended = _endings(run, roots)
    newest = np.searchsorted(ended, until, "right") - 1
    known = np.flatnonzero((newest >= 0) & (ended[newest] > since)) if len(ended) else none
    newest, since = newest[known], since[known]
    ended, cause = ended[newest], cause[newest]
    first_begins = np.sort([int(run.timelines[row].begin[0]) for row in roots]).astype(np.int64)
    first = np.append(first_begins, np.iinfo(np.int64).max)[
        np.searchsorted(first_begins, since, "right")
    ]
    began_before = np.searchsorted(first_begins, since, "right") > 0
    begin = np.where(first <= ended, first, np.where(began_before, since, ended))
    joins = Joins(begin, ended, cause, path[known])
    return joins if _is_off(run, joins) else Joins(none, none, none, none)


def _roots(run: Run) -> list[int]:
    """Return the locations of threads that the program made itself."""
    return [
        row
        for row, timeline in enumerate(run.timelines)
        if row != run.main and not run.is_worker[row] and len(timeline.begin)
    ]


def _endings(run: Run, roots: Sequence[int]) -> tuple[Ints, Ints]:
    """Return locations and moments, in order, at which threads ended a team or their work."""
    location, time = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for row in roots:
        main_rows = run.membership.outermost_of(row)
        moments = np.append(run.membership.join[main_rows], last_of(run, row))
        time.append(moments)
        location.append(np.full(len(moments), row))
    order = np.argsort(np.concatenate(time), kind="stable")
    return np.concatenate(location)[order], np.concatenate(time)[order]


def _is_off(run: Run, joins: Joins) -> bool:
    """Return whether the initial thread can have waited, judged by its time on a processor if that
    is known."""
    if not len(joins.begin):
        return True
    cpu_time = run.records.locations[run.timelines[run.main].location].cpu_time
    wait_time = float((joins.end - joins.begin).sum()) / run.second
    return not cpu_time or run.duration - cpu_time / 1e9 >= _MOSTLY * wait_time


def idle_of(run: Run) -> tuple[Cells, Cells]:
    """Return two severities: the seconds in which a thread has nothing to do. While the main thread
    is in no team, they are at its call path (the first), and else at the parallel region's."""
    intervals = _computed(run)
    return intervals.serial, intervals.limited


@once
def threads_at_once(run: Run) -> int:
    """Return the number of threads whose time is the run's: of those of OpenMP, the most that had
    something to do at a time; all, where the program made threads itself."""
    return len(run.threads) if _roots(run) else busy_at_once(run)


@once
def busy_at_once(run: Run) -> int:
    """Return the most threads that had something to do at a time."""
    if not run.timelines:
        return 0
    if np.bincount(run.membership.team, minlength=1).max() == len(run.threads):
        return len(run.threads)
    return int(_busy_threads(run)[1].max())


@once
def _busy_threads(run: Run) -> tuple[Ints, Ints]:
    """Return moments, in order, and how many threads have something to do from each to the next."""
    spans = [busy_of(run, thread) for thread in other_threads(run)]
    bounds = np.array([run.start, run.end], np.int64)
    moments = np.concatenate([bounds, *(end for _, end in spans), *(begin for begin, _ in spans)])
    change = np.repeat([-1, 1], len(moments) // 2 - 1)
    order = np.argsort(moments, kind="stable")
    return moments[order], 1 + np.cumsum(np.append([0, 0], change)[order])


@once
def _clock_of_idle_threads(run: Run) -> tuple[Ints, Ticks]:
    """Return moments and the time of a clock at each, in parts of a tick, which measures idle threads.

    Of the threads without work at a moment, as many are idle as are missing from the threads at a
    time. For each of them the clock runs at this rate.
    """
    moments, busy = _busy_threads(run)
    idle = np.maximum(1, len(run.threads) - busy)
    rate = np.maximum(0, threads_at_once(run) - busy) / idle
    return moments, _PARTS * np.append(0.0, np.cumsum(rate[:-1] * np.diff(moments)))


def idle_in(run: Run, busy: tuple[Ints, Ints], since: Ints, until: Ints) -> Ticks:
    """Return, for each interval in which the main thread is busy, the ticks in which another thread is
    idle, whose busy intervals are given."""
    begin, end = busy
    if threads_at_once(run) == len(run.threads):
        return until - since - within(begin, end, since, until)
    clock = _clock_of_idle_threads(run)
    begin, end, since, until = (
        np.rint(np.interp(moment, *clock)).astype(np.int64) for moment in (begin, end, since, until)
    )
    return np.asarray((until - since - within(begin, end, since, until)) / _PARTS)


def everyone_at_once(run: Run) -> int:
    """Return the number of threads that have work at a time, of all processes of the job."""
    return run.peers.threads_at_once if run.peers else threads_at_once(run)


def other_threads(run: Run) -> list[int]:
    """Return all threads but the main one."""
    if not run.timelines:
        return []
    return [thread for thread in range(len(run.threads)) if thread != run.thread[run.main]]


def unused(run: Run) -> Ticks:
    """Return, for each team, the ticks in which other threads have nothing to do; 0 if it is not an
    outermost team of the main thread."""
    return _computed(run).unused


@dataclass(frozen=True, slots=True)
class _Idle:
    serial: Cells
    limited: Cells
    unused: Ticks


@once
def _computed(run: Run) -> _Idle:
    serial, limited = run.cells(), run.cells()
    unused = np.zeros(len(run.teams.number))
    if not run.timelines:
        return _Idle(serial, limited, unused)
    region_rows = run.membership.outermost_of(run.main)
    fork, join = run.membership.fork[region_rows], run.membership.join[region_rows]
    path = run.places.rows[run.membership.path[region_rows]]
    idle = np.zeros(len(fork))
    for thread in other_threads(run):
        busy = busy_of(run, thread)
        left = np.maximum(0, idle_in(run, busy, fork, join))
        limited[:, thread] = sums(path, left / run.second, len(limited))
        idle += left
        in_teams = float((join - fork).sum() - left.sum())
        serial[:, thread] = _serial(run, busy, in_teams) / run.second
    unused += sums(run.membership.team[region_rows], idle, len(unused))
    return _Idle(serial, limited, unused)


def idle_beside_maps(run: Run) -> Cells:
    """Return the seconds in which a thread has nothing to do while the main one maps data outside
    teams; a part of the first severity of `idle_of`."""
    severity, (since, until, path) = run.cells(), maps_of(run) if run.timelines else _NOTHING
    if not len(since):
        return severity
    for thread in other_threads(run):
        idle = idle_in(run, busy_of(run, thread), since, until)
        severity[:, thread] = sums(path, idle, len(severity)) / run.second
    return severity


_NOTHING = (np.zeros(0, np.int64),) * 3


def busy_of(run: Run, thread: int) -> tuple[Ints, Ints]:
    """Return the begin and end of the intervals in which a thread is in teams or works for the
    program, disjoint and in order."""
    begins, ends = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    members = run.membership
    for row in where(run.thread == thread):
        if run.is_worker[row]:
            region_rows = members.outermost_of(int(row))
            begins += [members.fork[region_rows], run.timelines[row].loose[0]]
            ends += [members.join[region_rows], run.timelines[row].loose[1]]
        elif len(run.timelines[row].begin):
            begins.append(run.timelines[row].begin[:1])
            ends.append(np.array([last_of(run, int(row))]))
    begin, end = np.concatenate(begins), np.concatenate(ends)
    order = np.argsort(begin, kind="stable")
    begin, end = begin[order], np.maximum.accumulate(end[order])
    begin[1:] = np.maximum(begin[1:], end[:-1])
    return begin, np.maximum(begin, end)


@once
def serial_of(run: Run) -> tuple[Ints, Ints, Ints]:
    """Return when the main thread works outside teams, from when to when, and at which call path:
    not when it waits for threads that the program made."""
    joins = joins_of(run)
    since, until, path = outside_teams(run)
    return without(since, until, path, (joins.begin, joins.end))


def without(
    since: Ints, until: Ints, path: Ints, waits: tuple[Ints, Ints]
) -> tuple[Ints, Ints, Ints]:
    """Return pieces of time without some waits.  Each wait is in one of them, none in two."""
    begin, end = waits
    if not len(begin) or not len(since):
        return since, until, path
    piece = np.searchsorted(since, begin, "right") - 1
    rows = np.flatnonzero((piece >= 0) & (end <= until[piece]))
    piece, begin, end = piece[rows], begin[rows], end[rows]
    rest = until.copy()
    rest[piece] = begin
    order = np.argsort(np.append(since, end), kind="stable")
    pieces = (
        np.append(since, end), np.append(rest, until[piece]), np.append(path, path[piece]),
    )  # fmt: skip
    first, last, where_ = (column[order] for column in pieces)
    nonempty = first < last
    return first[nonempty], last[nonempty], where_[nonempty]


def idle_beside_main(run: Run) -> Cells:
    """Return the seconds in which a thread has nothing to do while the main one waits for threads
    that the program made, on the main thread's call path."""
    severity, joins = run.cells(), joins_of(run)
    if not len(joins.begin):
        return severity
    for thread in other_threads(run):
        idle = idle_in(run, busy_of(run, thread), joins.begin, joins.end)
        severity[:, thread] = sums(joins.path, idle, len(severity))
    return severity / run.second


def _serial(run: Run, busy: tuple[Ints, Ints], in_teams: float) -> Ticks:
    """Return the main thread's ticks outside teams, without its waits for threads of the program's
    own, and without those in which this thread was busy."""
    joins = joins_of(run)
    waits = sums(joins.path, joins.end - joins.begin, len(run.serial))
    is_at_once, (begin, end) = threads_at_once(run) == len(run.threads), busy
    if is_at_once and float((end - begin).sum()) - in_teams < 1:
        return np.asarray(np.maximum(0, run.serial - waits))
    since, until, path = serial_of(run)
    return np.asarray(np.maximum(0, sums(path, idle_in(run, busy, since, until), len(run.serial))))
