"""Threads that OpenMP has reserved and that have nothing to do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pomp_clang.causes.run.run import Cells, Run, last_of, once
from pomp_clang.causes.run.thread_joins import joins_of, outside_teams
from pomp_clang.causes.timeline.column_search import where
from pomp_clang.causes.timeline.location_timeline import Ticks, sums, within
from pomp_clang.trace.model import Ints


def idle_of(run: Run) -> tuple[Cells, Cells]:
    """Return two severities: the seconds in which a thread has nothing to do. While the main thread
    is in no team, they are at its call path (the first), and else at the parallel region's."""
    intervals = _computed(run)
    return intervals.serial, intervals.limited


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
    main_thread = int(run.thread[run.main])
    region_rows = run.membership.outermost_of(run.main)
    fork, join = run.membership.fork[region_rows], run.membership.join[region_rows]
    path = run.places.rows[run.membership.path[region_rows]]
    idle = np.zeros(len(fork))
    for thread in range(len(run.threads)):
        if thread == main_thread:
            continue
        begin, end = busy_of(run, thread)
        overlap = within(begin, end, fork, join)
        left = np.maximum(0, join - fork - overlap)
        limited[:, thread] = sums(path, left / run.second, len(limited))
        idle += left
        serial[:, thread] = _serial(run, begin, end, float(overlap.sum())) / run.second
    unused += sums(run.membership.team[region_rows], idle, len(unused))
    return _Idle(serial, limited, unused)


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
    main_thread = int(run.thread[run.main])
    for thread in (number for number in range(len(run.threads)) if number != main_thread):
        busy = within(*busy_of(run, thread), joins.begin, joins.end)
        severity[:, thread] = sums(joins.path, joins.end - joins.begin - busy, len(severity))
    return severity / run.second


def _serial(run: Run, begin: Ints, end: Ints, in_teams: float) -> Ticks:
    """Return the main thread's ticks outside teams, without its waits for threads of the program's
    own, and without those in which this thread was busy."""
    joins = joins_of(run)
    waits = sums(joins.path, joins.end - joins.begin, len(run.serial))
    if float((end - begin).sum()) - in_teams < 1:
        return np.asarray(np.maximum(0, run.serial - waits))
    since, until, path = serial_of(run)
    overlap = within(begin, end, since, until)
    return np.asarray(np.maximum(0, run.serial - waits - sums(path, overlap, len(run.serial))))
