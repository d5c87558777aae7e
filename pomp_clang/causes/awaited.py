"""Waits that go on when another thread has created or ended a task, or gave its turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pomp_clang.causes.run import Run
from pomp_clang.trace.model import Ints


@dataclass(frozen=True, slots=True)
class Awaited:
    """Waits of a course, from `begin` to `end`: of what another one, `cause`, had done by `since`."""

    begin: Ints
    end: Ints
    cause: Ints
    since: Ints


def awaited_of(run: Run) -> Iterator[Awaited]:
    """Of each course.

    Who waits for tasks goes on when one has ended, who waits in a barrier when one is there, and
    in an ordered construct when it is its turn: by whom is not recorded, so the newest of another
    thread's is taken.  Waits in which there is none are not among these.
    """
    ended = [each.tasks.ended for each in run.courses]
    given = [each.turns.given for each in run.courses]
    created = [np.sort(each.tasks.created) for each in run.courses]
    for number, course in enumerate(run.courses):
        waits, tasks, turns = course.waits, course.tasks, course.turns
        goes_on = np.flatnonzero(waits.arrival[1:] == waits.arrival[:-1])
        found = (
            _newest(number, created, waits.begin[goes_on], waits.end[goes_on]),
            _newest(number, ended, tasks.wait_began, tasks.wait_ended),
            _newest(number, given, turns.wait_began, turns.wait_ended),
        )
        yield Awaited(*(np.concatenate(column) for column in zip(*found, strict=True)))


def _newest(
    course: int, moments: list[Ints], begin: Ints, end: Ints
) -> tuple[Ints, Ints, Ints, Ints]:
    since = np.full(len(end), -1)
    cause = np.full(len(end), course)
    for other, times in enumerate(moments):
        if other == course or not len(times) or not len(end):
            continue
        row = np.searchsorted(times, end, "right") - 1
        newest = np.where(row >= 0, times[np.maximum(row, 0)], -1)
        later = (newest > begin) & (newest > since)
        since[later], cause[later] = newest[later], other
    known = np.flatnonzero(since >= 0)
    return begin[known], end[known], cause[known], since[known]
