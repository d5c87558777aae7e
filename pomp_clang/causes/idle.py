"""Threads that OpenMP has reserved and that have nothing to do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pomp_clang.causes.course import Ticks, over, sums, within
from pomp_clang.causes.rows import where
from pomp_clang.causes.run import Cells, Run, last_of, once
from pomp_clang.trace.model import Ints


def idle_of(run: Run) -> tuple[Cells, Cells]:
    """Seconds in which a thread has nothing to do, on the call path of the main thread: while
    that is in no team, and while it is in one, then on the path of the parallel region."""
    found = _computed(run)
    return found.serial, found.limited


def unused(run: Run) -> Ticks:
    """Of each team: ticks in which other threads have nothing to do, where it is the main
    thread's outermost one."""
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
    if not run.courses:
        return _Idle(serial, limited, unused)
    own = int(run.thread[run.main])
    mine = run.membership.outermost_of(run.main)
    fork, join = run.membership.fork[mine], run.membership.join[mine]
    path = run.places.rows[run.membership.path[mine]]
    idle = np.zeros(len(fork))
    for thread in range(len(run.threads)):
        if thread == own:
            continue
        begin, end = busy_of(run, thread)
        there = within(begin, end, fork, join)
        left = np.maximum(0, join - fork - there)
        limited[:, thread] = sums(path, left / run.second, len(limited))
        idle += left
        serial[:, thread] = _serial(run, begin, end, float(there.sum())) / run.second
    unused += sums(run.membership.team[mine], idle, len(unused))
    return _Idle(serial, limited, unused)


def busy_of(run: Run, thread: int) -> tuple[Ints, Ints]:
    """When a thread is in teams, or at the program's disposal; disjoint and in order."""
    begins, ends = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    members = run.membership
    for row in where(run.thread == thread):
        if run.is_worker[row]:
            mine = members.outermost_of(int(row))
            begins += [members.fork[mine], run.courses[row].loose[0]]
            ends += [members.join[mine], run.courses[row].loose[1]]
        elif len(run.courses[row].begin):
            begins.append(run.courses[row].begin[:1])
            ends.append(np.array([last_of(run, int(row))]))
    begin, end = np.concatenate(begins), np.concatenate(ends)
    order = np.argsort(begin, kind="stable")
    begin, end = begin[order], np.maximum.accumulate(end[order])
    begin[1:] = np.maximum(begin[1:], end[:-1])
    return begin, np.maximum(begin, end)


@once
def serial_of(run: Run) -> tuple[Ints, Ints, Ints]:
    """When the main thread is outside teams, from when to when, and at which call path."""
    course = run.courses[run.main]
    mine = run.membership.outermost_of(run.main)
    fork, join = run.membership.fork[mine], run.membership.join[mine]
    since = np.append(np.int64(run.start), course.begin)
    first = np.append(0, np.searchsorted(since, join))
    count = np.maximum(0, np.append(np.searchsorted(since, fork), len(since)) - first)
    rows = np.repeat(first - (np.cumsum(count) - count), count) + np.arange(count.sum())
    path = np.zeros(len(rows), np.int64)
    path[rows > 0] = run.places.rows[course.path[rows[rows > 0] - 1]]
    return since[rows], over(since, rows, run.end), path


def _serial(run: Run, begin: Ints, end: Ints, in_teams: float) -> Ticks:
    """The main thread's ticks outside teams, but for those in which this one was busy."""
    if float((end - begin).sum()) - in_teams < 1:
        return run.serial
    since, until, path = serial_of(run)
    there = within(begin, end, since, until)
    return np.asarray(np.maximum(0, run.serial - sums(path, there, len(run.serial))))
