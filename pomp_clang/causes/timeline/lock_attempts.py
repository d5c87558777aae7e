"""Repeated attempts to get a lock by `omp_test_lock` and `omp_test_nest_lock`: a thread that tries
again and again waits.

Attempts are repeated if a thread makes them at one place in the source and records nothing else in
between.  It must try again within `SOON`, or within the time for which it has tried before.  If the
thread gets the lock at last, it has waited since the first attempt; else all were in vain.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pomp_clang.causes.timeline.activity import Activity
from pomp_clang.causes.timeline.columns import are_among, is_any, where
from pomp_clang.causes.timeline.location_timeline import Flags, over
from pomp_clang.experiment.layout import SOON
from pomp_clang.trace.layout import Kind
from pomp_clang.trace.model import Ints, Paths
from pomp_clang.trace.summarize import LocationSummary

_LOCK, _COMPUTE = int(Activity.LOCK), int(Activity.COMPUTE)


@dataclass(frozen=True, slots=True)
class _Attempts:
    """The intervals in a lock routine, at the rows `at`. `has_failed` is True if the attempt did not
    get the lock, `continues` if it repeats the attempt before; `head` is the first of its sequence."""

    at: Ints
    has_failed: Flags
    continues: Flags
    head: Ints


def as_waits(summary: LocationSummary, until: int, second: int) -> LocationSummary:
    """Book what lies between repeated attempts as time in the lock routine.

    The location's events go `until`; `second` is ticks.
    """
    at = where(summary.intervals.doing == _LOCK)
    if not len(at):
        return summary
    attempts = _attempts(summary, at, until, int(SOON * second))
    if not is_any(attempts.has_failed):
        return summary
    summary = _asked_first(summary, attempts)
    in_vain = _in_vain(attempts)
    between = where(attempts.continues & (np.diff(at, prepend=at[0]) == 2))
    activity = np.where(in_vain[between], Activity.TRYING, Activity.LOCK)
    summary = _book_intervals(
        summary, at[between] - 1, summary.intervals.path[at[between]], activity, until
    )
    rows = at[in_vain]
    trying = np.full(len(rows), Activity.TRYING)
    return _book_intervals(summary, rows, summary.intervals.path[rows], trying, until)


def _attempts(summary: LocationSummary, at: Ints, until: int, soon: int) -> _Attempts:
    intervals, locks = summary.intervals, summary.locks
    begin, ends = intervals.begin[at], over(intervals.begin, at, until)
    has_failed = np.ones(len(at), np.bool_)
    is_lock = locks.lock >= 0  # the others are critical sections
    requested, acquired = locks.requested[is_lock], locks.acquired[is_lock]
    rows = begin.searchsorted(requested, "right") - 1, begin.searchsorted(acquired, "left") - 1
    for moment, row in zip((requested, acquired), rows, strict=True):
        has_failed[row[(row >= 0) & (moment <= ends[row])]] = False
    gives_up = are_among(begin, np.sort(locks.released, kind="stable"))
    has_failed[gives_up] = False
    gap = at[1:] - at[:-1]
    continues = np.zeros(len(at), np.bool_)
    continues[1:] = has_failed[:-1] & ~gives_up[1:] & (gap <= 2)
    continues[1:] &= intervals.path[at[1:]] == intervals.path[at[:-1]]
    continues[1:] &= (gap == 1) | (intervals.doing[at[1:] - 1] == _COMPUTE)
    late = where(continues[1:] & (begin[1:] - ends[:-1] > soon)) + 1
    continues[late] = False
    head = _first_attempts(continues)
    for row in late.tolist():
        since = int(head[row - 1])
        if begin[row] - ends[row - 1] <= ends[row - 1] - begin[since]:
            continues[row] = True
            head[row : int(head.searchsorted(row, "right"))] = since
    return _Attempts(at, has_failed, continues, head)


def _first_attempts(continues: Flags) -> Ints:
    """Return the first of each attempt's row of attempts."""
    first: Ints = np.maximum.accumulate(np.where(continues, 0, np.arange(len(continues))))
    return first


def _asked_first(summary: LocationSummary, attempts: _Attempts) -> LocationSummary:
    """Move the request of a lock that was acquired after some attempts to the first of these."""
    begin, locks = summary.intervals.begin[attempts.at], summary.locks
    row = np.maximum(begin.searchsorted(locks.requested, "right") - 1, 0)
    is_retry = (begin[row] == locks.requested) & attempts.continues[row] & (locks.lock >= 0)
    requested = np.where(is_retry, begin[attempts.head[row]], locks.requested)
    return replace(summary, locks=replace(locks, requested=requested))


def _in_vain(attempts: _Attempts) -> Flags:
    """Return, for each attempt, whether the thread did not get the lock in the end."""
    last = np.append(~attempts.continues[1:], True)
    is_vain = np.zeros(len(attempts.at), np.bool_)
    is_vain[attempts.head[last]] = attempts.has_failed[last]
    return is_vain[attempts.head]


def _book_intervals(
    summary: LocationSummary, at: Ints, path: Paths, activity: Ints, until: int
) -> LocationSummary:
    """Book intervals at another call path and as another activity."""
    intervals, ticks, serial = summary.intervals, summary.ticks.copy(), summary.serial.copy()
    begin, before, doing = intervals.begin[at], intervals.path.copy(), intervals.doing.copy()
    duration = over(intervals.begin, at, until) - begin
    alone = duration * ~_are_in_teams(summary, begin)
    np.subtract.at(ticks, (before[at], doing[at]), duration)
    np.subtract.at(serial, before[at], alone)
    before[at], doing[at] = path, activity
    np.add.at(ticks, (before[at], doing[at]), duration)
    np.add.at(serial, before[at], alone)
    summary = replace(summary, intervals=replace(intervals, path=before, doing=doing))
    return replace(summary, ticks=ticks, serial=serial)


def _are_in_teams(summary: LocationSummary, moments: Ints) -> Flags:
    """Return, for each moment, whether the location was in a parallel region."""
    regions = where(summary.visits.kind == int(Kind.PARALLEL))
    if not len(regions):
        return np.zeros(len(moments), np.bool_)
    begin = summary.visits.begin[regions]
    end = np.maximum.accumulate(summary.visits.end[regions])
    row = begin.searchsorted(moments, "right") - 1
    inside: Flags = (row >= 0) & (moments < end[row])
    return inside
