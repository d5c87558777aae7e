"""Delays between processes one by one: when who is waited for did what others wait for."""

from __future__ import annotations

import numpy as np

from pomp_clang.causes.charge import WAITS
from pomp_clang.causes.course import Flags
from pomp_clang.causes.distinct import distinct
from pomp_clang.causes.mpi.delays import Found, Whole
from pomp_clang.causes.mpi.inserted import clock_of, ticks_at
from pomp_clang.causes.mpi.share import spans_of
from pomp_clang.causes.mpi.worked import line_of
from pomp_clang.causes.occurrence import Occurrences
from pomp_clang.causes.places import Places
from pomp_clang.causes.run import Run
from pomp_clang.causes.stretches import Line
from pomp_clang.trace.model import Ints

_AT_CAUSE = ("short_term", "long_term")


def one_by_one(whole: Whole, found: Found, number: int, run: Run, what: str) -> Occurrences:
    """Of a process.  Work is from the first of it at that call path to the last since the two met;
    where that is not for work, it is the time in which the other waits."""
    parts = found.parts[what]
    first, behind = whole.first[number], whole.first[number + 1]
    rows = np.flatnonzero((parts.course >= first) & (parts.course < behind) & (parts.ns > 0))
    wait, course = parts.wait[rows], parts.course[rows] - first
    own = np.zeros(whole.paths, np.int64)
    own[whole.rows[number]] = np.arange(len(run.paths))
    path, severity = own[parts.path[rows]], parts.ns[rows] / 1e9
    spans = spans_of(whole.job, number, found.waits)
    begin, end = spans.begin[wait], spans.end[wait]
    if what not in _AT_CAUSE:
        return Occurrences(run.thread[course], path, begin, end, severity, found.waits.cause[wait])
    clock = clock_of(whole.job, number)
    since, until = (
        ticks_at(clock, each[wait]) for each in (found.theirs.since, found.theirs.until)
    )
    for each in distinct(course):
        mine = np.flatnonzero(course == each)
        did = _worked(run.places, line_of(run, int(each)), path[mine], since[mine], until[mine])
        begin[mine] = np.where(did[2], did[0], begin[mine])
        end[mine] = np.where(did[2], did[1], end[mine])
    return Occurrences(run.thread[course], path, begin, end, severity, found.waits.call[wait])


def _worked(
    places: Places, line: Line, path: Ints, since: Ints, until: Ints
) -> tuple[Ints, Ints, Flags]:
    """From the first stretch of work at a call path to the last in some time, and whether there
    is any."""
    rows = np.flatnonzero(~np.isin(line.doing, WAITS))
    if not len(rows):
        return since, until, np.zeros(len(path), np.bool_)
    begin = line.begin[rows]
    end = np.append(line.begin[1:], np.int64(line.end))[rows]
    at = places.rows[line.path[rows]].astype(np.int64)
    order = np.argsort(at, kind="stable")
    begin, end, at = begin[order], end[order], at[order]
    base = min(int(begin.min()), int(since.min(initial=0)))
    span = max(int(end.max()), int(until.max(initial=0))) - base + 1
    first = np.searchsorted(at * span + end - base, path * span + since - base, "right")
    last = np.searchsorted(at * span + begin - base, path * span + until - base, "left") - 1
    known = (first <= last) & (at[np.minimum(first, len(at) - 1)] == path)
    first, last = np.where(known, first, 0), np.where(known, last, 0)
    return np.maximum(begin[first], since), np.minimum(end[last], until), known
