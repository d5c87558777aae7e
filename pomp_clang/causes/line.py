"""What each thread did, from the program's start to its end: stretches without gaps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.activity import Activity, Codes
from pomp_clang.causes.course import Course
from pomp_clang.causes.course import over as ends_of
from pomp_clang.causes.overlap import overlaps
from pomp_clang.causes.run import Run, last_of, once
from pomp_clang.trace.model import Ints

Rows = npt.NDArray[np.int32]

_PART = 1 << 16
"""Stretches whose columns stay in a processor's cache."""


@dataclass(frozen=True, slots=True)
class ThreadLine:
    """Of a thread: each stretch is up to the next one's `begin`, the last up to `end`.  `path` is
    a row of the run's.  Whoever is OUTSIDE has nothing to do; its path is the program.

    Their sums are what the run's `spent` has: with the way into teams and out of them, of which
    no event of the thread's own tells.
    """

    begin: Ints
    path: Rows
    activity: Codes
    end: int

    @property
    def ends(self) -> Ints:
        return np.append(self.begin[1:], np.int64(self.end))

    def parts(self) -> Iterator[ThreadLine]:
        """Some stretches at a time, for who goes through all of them."""
        for row in range(0, len(self.begin), _PART):
            here, behind = slice(row, row + _PART), row + _PART
            end = int(self.begin[behind]) if behind < len(self.begin) else self.end
            yield ThreadLine(self.begin[here], self.path[here], self.activity[here], end)


@once
def lines_of(run: Run) -> tuple[ThreadLine, ...]:
    """By the rows of `Run.threads`."""
    return tuple(_line(run, thread) for thread in range(len(run.threads)))


def _line(run: Run, thread: int) -> ThreadLine:
    numbers = [int(row) for row in np.flatnonzero(run.thread == thread)]
    numbers = [row for row in numbers if len(run.courses[row].begin)]
    numbers.sort(key=lambda row: int(run.courses[row].begin[0]))
    line = _joined(run, [run.courses[row] for row in numbers])
    if any(run.is_worker[row] for row in numbers):
        return _with_teams(run, thread, line)
    if not numbers:
        return line
    return _own(run, numbers[0], line)


def _joined(run: Run, courses: list[Course]) -> ThreadLine:
    """A thread that carried another's role on has its courses behind that one's."""
    begin = np.concatenate([np.array([run.start]), *(each.begin for each in courses)])
    path = np.concatenate(
        [np.zeros(1, np.int32), *(run.places.rows[each.path].astype(np.int32) for each in courses)]
    )
    activity = np.concatenate(
        [np.array([Activity.OUTSIDE], np.uint8), *(each.activity for each in courses)]
    )
    path[activity == Activity.OUTSIDE] = 0
    np.maximum.accumulate(begin, out=begin)
    return ThreadLine(begin, path, activity, run.end)


def _own(run: Run, row: int, line: ThreadLine) -> ThreadLine:
    """The main thread, and those that the program made: these from their first event to the last."""
    activity = line.activity.copy()
    activity[activity == Activity.OUTSIDE] = Activity.COMPUTE
    if row == run.main:
        return ThreadLine(line.begin, line.path, activity, line.end)
    activity[0] = Activity.OUTSIDE
    last = np.array([max(int(line.begin[-1]), last_of(run, row))])
    begin = np.append(line.begin, last)
    path = np.append(line.path, np.int32(0))
    return ThreadLine(begin, path, np.append(activity, np.uint8(Activity.OUTSIDE)), line.end)


def _with_teams(run: Run, thread: int, line: ThreadLine) -> ThreadLine:
    members = run.membership
    rows = np.flatnonzero((run.thread[members.course] == thread) & ~members.is_master)
    rows = rows[np.argsort(members.begin[rows], kind="stable")]
    path = run.places.rows[members.path[rows]]
    line = _laid(line, (members.fork[rows], members.begin[rows]), path, Activity.FORK)
    line = _laid(line, (members.leave[rows], members.join[rows]), path, Activity.JOIN)
    for row in np.flatnonzero(run.thread == thread):
        course = run.courses[row]
        told = np.flatnonzero(course.waits.arrival >= course.departed)
        since, until = course.waits.begin[told], course.waits.end[told]
        path = run.places.rows[course.arrivals.path[course.waits.arrival[told]]]
        line = _laid(line, (since, until), path, Activity.IMPLICIT, Activity.JOIN)
    return line


def _laid(
    line: ThreadLine,
    when: tuple[Ints, Ints],
    path: Ints,
    activity: Activity,
    over: Activity = Activity.OUTSIDE,
) -> ThreadLine:
    """What is done from some moments to others, where the line says nothing but `over`."""
    at = np.flatnonzero(line.activity == over)
    ends = ends_of(line.begin, at, line.end)
    cut = overlaps(when, (line.begin[at], ends))
    if not len(cut.begin):
        return line
    goes_on = cut.end < ends[cut.other]
    goes_on[:-1] &= cut.begin[1:] != cut.end[:-1]
    back = at[cut.other[goes_on]]
    begin = np.append(cut.begin, cut.end[goes_on])
    order = np.argsort(begin, kind="stable")
    begin = begin[order]
    paths = np.append(path[cut.one].astype(np.int32), line.path[back])[order]
    doing = np.full(len(cut.begin), activity, np.uint8)
    activities = np.append(doing, line.activity[back])[order]
    # Among stretches that are in order, few: nothing but these is sorted.
    where = np.searchsorted(line.begin, begin, "right")
    return ThreadLine(
        np.insert(line.begin, where, begin),
        np.insert(line.path, where, paths),
        np.insert(line.activity, where, activities),
        line.end,
    )
