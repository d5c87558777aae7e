"""The initial thread where it waits for threads that the program made itself.

No event tells of `pthread_create` and `pthread_join`.  But a thread of the program's own can begin
only after the initial thread has made it. While such threads work, an initial thread without an
event and without a processor waits for them: until one of them last ended a team or its work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pomp_clang.causes.run.run import Run, last_of, once
from pomp_clang.causes.timeline.location_timeline import over
from pomp_clang.trace.model import Ints

_MOSTLY = 0.5
"""Maximum share of the apparent wait time that the initial thread may be on a processor."""


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
    timeline = run.timelines[run.main]
    main_rows = run.membership.outermost_of(run.main)
    fork, join = run.membership.fork[main_rows], run.membership.join[main_rows]
    since = np.append(np.int64(run.start), timeline.begin)
    first = np.append(0, np.searchsorted(since, join))
    count = np.maximum(0, np.append(np.searchsorted(since, fork), len(since)) - first)
    rows = np.repeat(first - (np.cumsum(count) - count), count) + np.arange(count.sum())
    path = np.zeros(len(rows), np.int64)
    path[rows > 0] = run.places.rows[timeline.path[rows[rows > 0] - 1]]
    return since[rows], over(since, rows, run.end), path


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
