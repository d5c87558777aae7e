"""Whom waits between processes come from: what they did more than who waits for them, since these
two last met; and what made them wait themselves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pomp_clang.causes.charge import WAITS
from pomp_clang.causes.course import Ticks, sums
from pomp_clang.causes.delays import Delays
from pomp_clang.causes.distinct import distinct, numbered
from pomp_clang.causes.mpi.inserted import clock_of, ticks_at
from pomp_clang.causes.mpi.met import meetings, met_before
from pomp_clang.causes.mpi.operations import Operations
from pomp_clang.causes.mpi.waits import Waits
from pomp_clang.causes.mpi.worked import Pieces, line_of, pieces_of
from pomp_clang.causes.run import Run
from pomp_clang.causes.stretches import work
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import Job
from pomp_clang.trace.mpi.workers import Workers

_CELLS = 1 << 22
"""Of a table by wait and call path: so many are held at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """Time of some courses, from `since` to `until`: of the one that waits, or is waited for."""

    course: Ints
    since: Ints
    until: Ints

    def pick(self, rows: slice) -> Side:
        return Side(self.course[rows], self.since[rows], self.until[rows])


@dataclass(frozen=True, slots=True, eq=False)
class Whole:
    """The courses of all processes: from `first` on those of each, whose `rows` lead from its call
    paths to those of the job.  `course` and `path` are of each call.  `runs` are this worker's."""

    job: Job
    runs: dict[int, Run]
    workers: Workers
    first: Ints
    rows: tuple[Ints, ...]
    paths: int
    course: Ints
    path: Ints
    operations: Operations


@dataclass(frozen=True, slots=True, eq=False)
class _Within:
    """Which waits came to their end in which segments, a row for each pair."""

    segment: Ints
    wait: Ints


@dataclass(frozen=True, slots=True, eq=False)
class _Charged:
    """Of a wait, the parts that are for what who is waited for did at a call path more than who
    waits; a row each, with the course that did most of that.  `waiting` is by wait the part for
    which it had waited itself."""

    wait: Ints
    path: Ints
    course: Ints
    part: Ticks
    waiting: Ticks


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """What is at a call path of the job, on a course, of a wait, a row each."""

    path: Ints
    course: Ints
    ns: Ticks
    wait: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """`theirs` is by wait the time of who is waited for since the two met; `parts` are by the names
    of `Delays`, and `terminal`."""

    waits: Waits
    theirs: Side
    parts: dict[str, Parts]


def between(whole: Whole, waits: Waits) -> Found:
    """`waits` have a cause each."""
    leave = whole.job.calls.leave[waits.call]
    mine, theirs = _sides(whole, waits)
    within = _ended(
        whole, waits, Side(theirs.course, theirs.since, np.minimum(theirs.until, leave - 1))
    )
    charged = _charge(whole, waits, mine, theirs)
    ns = waits.ns.astype(np.float64)
    among = sums(within.segment, ns[within.wait], len(ns))
    handed_on = np.where(among > 0, charged.waiting, 0)
    part = handed_on[within.segment] * ns[within.wait] / np.maximum(1, among[within.segment])
    total = _propagated(ns, within, part)
    makes = np.zeros(len(ns), np.bool_)
    makes[within.wait[part > 0]] = True
    cause = whole.path[waits.cause], whole.course[waits.cause]
    path, course = (
        np.concatenate(each) for each in ((charged.path, cause[0]), (charged.course, cause[1]))
    )
    wait = np.concatenate([charged.wait, np.arange(len(ns))])
    # What is explained by nothing is for what who is waited for did last.
    known = sums(charged.wait, charged.part, len(ns)) + handed_on
    parts = np.concatenate([charged.part, np.maximum(0, 1 - known)])
    at, every = (whole.path[waits.call], whole.course[waits.call]), np.arange(len(ns))
    found = {
        "short_term": Parts(path, course, parts * ns[wait], wait),
        "long_term": Parts(path, course, parts * (total - ns)[wait], wait),
        "direct": Parts(*at, ns * (1 - charged.waiting), every),
        "indirect": Parts(*at, ns * charged.waiting, every),
        "propagating": Parts(*at, np.where(makes, ns, 0.0), every),
        "terminal": Parts(*at, np.where(makes, 0.0, ns), every),
    }
    return Found(waits, theirs, found)


_SUMMED = ("short_term", "long_term", "direct", "indirect", "propagating")


def by_process(whole: Whole, found: Found) -> dict[int, Delays]:
    """By the job's processes."""
    delays = {}
    for number, run in whole.runs.items():
        # Of several rows of a job's table none is another one of the process's.
        own = np.full(whole.paths, 0)
        own[whole.rows[number]] = np.arange(len(run.paths))
        cells = {}
        for name in _SUMMED:
            of = found.parts[name]
            mine = (of.course >= whole.first[number]) & (of.course < whole.first[number + 1])
            thread = run.thread[of.course[mine] - whole.first[number]]
            key = own[of.path[mine]] * len(run.threads) + thread
            shape = len(run.paths), len(run.threads)
            cells[name] = sums(key, of.ns[mine] / 1e9, shape[0] * shape[1]).reshape(shape)
        delays[number] = Delays(**cells, contention=run.cells())
    return delays


def _sides(whole: Whole, waits: Waits) -> tuple[Side, Side]:
    calls = whole.job.calls
    one, other = whole.course[waits.call], whole.course[waits.cause]
    enter, until = calls.enter[waits.call], np.minimum(waits.since, calls.leave[waits.call])
    of = meetings(whole.job, whole.course, whole.operations, waits)
    since, since_there = met_before(of, one, other, enter, until)
    first = int(calls.enter.min(initial=0)) - 1
    start = np.maximum(np.minimum(since, enter), first)
    start_there = np.maximum(np.minimum(since_there, until), first)
    return Side(one, start, enter), Side(other, start_there, until)


def _ended(whole: Whole, waits: Waits, side: Side) -> _Within:
    leave, course = whole.job.calls.leave[waits.call], whole.course[waits.call]
    first = min(int(side.since.min(initial=0)), int(leave.min(initial=0)))
    span = max(int(side.until.max(initial=0)), int(leave.max(initial=0))) - first + 1
    order = np.lexsort((leave, course))
    key = (course * span + leave - first)[order]
    base = side.course * span - first
    low = np.searchsorted(key, base + side.since, "right")
    high = np.searchsorted(key, base + np.maximum(side.until, side.since), "right")
    count = high - low
    segment = np.repeat(np.arange(len(count)), count)
    place = np.arange(len(segment)) - np.repeat(np.cumsum(count) - count, count) + low[segment]
    return _Within(segment, order[place])


def _charge(whole: Whole, waits: Waits, mine: Side, theirs: Side) -> _Charged:
    size = max(64, _CELLS // (whole.paths + 1))
    waiting = np.zeros(len(waits.ns))
    none = np.zeros(0, np.int64)
    found: list[tuple[Ints, Ints, Ints, Ticks]] = [(none, none, none, np.zeros(0))]
    for begin in range(0, len(waits.ns), size):
        rows = slice(begin, min(len(waits.ns), begin + size))
        did, course = _table(whole, waits, theirs.pick(rows))
        parts = np.maximum(0, did - _table(whole, waits, mine.pick(rows))[0])
        ns = waits.ns[rows].astype(np.float64)
        parts /= np.maximum(parts.sum(axis=1), ns)[:, None]
        waiting[rows] = parts[:, -1]
        wait, path = np.nonzero(parts[:, :-1])
        found.append((wait + begin, path, course[wait, path], parts[wait, path]))
    wait, path, on, part = (np.concatenate(column) for column in zip(*found, strict=True))
    return _Charged(wait, path, on, part, waiting)


def _table(whole: Whole, waits: Waits, side: Side) -> tuple[Ticks, Ints]:
    """ns by call path that was not waited, and the course that did most of these; the last column
    is of waits."""
    table = np.zeros((len(side.course), whole.paths + 1))
    most, on = np.zeros(table.shape), np.zeros(table.shape, np.int64)
    for course in distinct(side.course):
        rows = np.flatnonzero(side.course == course)
        number = int(np.searchsorted(whole.first, course, "right")) - 1
        if number not in whole.runs:
            continue
        run, clock, first = whole.runs[number], clock_of(whole.job, number), whole.first[number]
        since, until = (ticks_at(clock, each[rows]) for each in (side.since, side.until))
        pieces = pieces_of(run, int(course - first), since, until)
        for own in distinct(pieces.course):
            columns = whole.rows[number][run.places.rows]
            segments, made = _worked(run, int(own), pieces, columns, whole.paths + 1)
            at = rows[segments]
            table[at] += made
            is_most = made > most[at]
            most[at] = np.where(is_most, made, most[at])
            on[at] = np.where(is_most, first + own, on[at])
    table, on = whole.workers.sum(table), whole.workers.sum(on)
    within = _ended(whole, waits, side)
    path, ns = whole.path[waits.call[within.wait]], waits.ns[within.wait]
    np.subtract.at(table, (within.segment, path), ns)
    np.add.at(table, (within.segment, np.full(len(ns), whole.paths)), ns)
    return np.maximum(0, table), on


def _worked(run: Run, course: int, pieces: Pieces, columns: Ints, width: int) -> tuple[Ints, Ticks]:
    """The segments of which a course has pieces, and its ns in each by call path; the last column
    is of waits."""
    line, mine = line_of(run, course), pieces.course == course
    segments, row = numbered(pieces.segment[mine])
    begin, end = (np.searchsorted(line.begin, each[mine]) for each in (pieces.begin, pieces.end))
    made = work(line, (begin, end, row), columns, (len(segments), width), WAITS)
    return segments, made * (1e9 / run.second)


def _propagated(ns: Ticks, within: _Within, part: Ticks) -> Ticks:
    """Of each wait with what it made others wait: from the last ones on, all at once of whom
    everything has been handed on to."""
    total = ns.copy()
    order = np.argsort(within.segment, kind="stable")
    to, part = within.wait[order], part[order]
    first = np.searchsorted(within.segment[order], np.arange(len(ns) + 1))
    missing = np.bincount(within.wait, minlength=len(ns))
    ready = np.flatnonzero(missing == 0)
    while len(ready):
        count = first[ready + 1] - first[ready]
        own = np.repeat(ready, count)
        edge = np.arange(len(own)) - np.repeat(np.cumsum(count) - count, count) + first[own]
        np.add.at(total, to[edge], total[own] * part[edge])
        np.subtract.at(missing, to[edge], 1)
        reached = distinct(to[edge])
        ready = reached[missing[reached] == 0]
    return total
