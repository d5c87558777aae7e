"""Waits that end when another thread creates or ends a task, or gives its turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pomp_clang.causes.run.idle import created_threads, joins_of
from pomp_clang.causes.run.run import Run
from pomp_clang.trace.model import Ints


@dataclass(frozen=True, slots=True)
class WaitDependencies:
    """A location's waits, from `begin` to `end`. Each ends because of what the location `cause` had
    done by `since`."""

    begin: Ints
    end: Ints
    cause: Ints
    since: Ints


def awaited_of(run: Run) -> Iterator[WaitDependencies]:
    """Yield the resolved waits of each location.

    A wait for tasks ends when a task ends. A wait in which the thread ran a task, or a wait in a
    barrier, ends when a task is created. A wait in an ordered construct ends when another thread
    gives its turn. The trace does not say which thread ended a wait, so the latest such event of
    another thread is taken; waits without one are dropped. A thread that the program made begins
    when the main thread has made it, which may wait for it.
    """
    starter, began = (
        created_threads(run) if run.timelines else (none := np.zeros(0, np.int64), none)
    )
    joins = joins_of(run)
    ended = _TaskEnds([timeline.tasks.ended for timeline in run.timelines])
    turn_ends = _TaskEnds([timeline.turns.granted for timeline in run.timelines])
    created = _TaskEnds([timeline.tasks.created for timeline in run.timelines])
    for number, timeline in enumerate(run.timelines):
        waits, tasks, turns = timeline.waits, timeline.tasks, timeline.turns
        continues = np.flatnonzero(waits.arrival[1:] == waits.arrival[:-1])
        last, other = tasks.is_last, ~tasks.is_last
        resolved = (
            created.newest(number, waits.begin[continues], waits.end[continues]),
            created.newest(number, tasks.wait_began[other], tasks.wait_ended[other]),
            ended.newest(number, tasks.wait_began[last], tasks.wait_ended[last]),
            turn_ends.newest(number, turns.wait_began, turns.wait_ended),
            *([(joins.begin, joins.end, joins.cause, joins.end)] if number == run.main else []),
            *(_creation_wait(run, int(when)) for when in began[starter == number]),
        )
        yield WaitDependencies(*(np.concatenate(column) for column in zip(*resolved, strict=True)))


def _creation_wait(run: Run, began: int) -> tuple[Ints, Ints, Ints, Ints]:
    """Return the wait of a thread until the main one has made it."""
    moment = np.array([began], np.int64)
    return np.array([run.start], np.int64), moment, np.array([run.main], np.int64), moment


class _TaskEnds:
    """The moments at which locations did something that can end a wait, in time order; at the same
    moment the first location comes last."""

    def __init__(self, moments: list[Ints]) -> None:
        time = np.concatenate([np.zeros(0, np.int64), *moments])
        location = np.repeat(np.arange(len(moments)), [len(moment) for moment in moments])
        order = np.lexsort((-location, time))
        self._time, self._location = time[order], location[order]
        self._before = _before(self._location)

    def newest(self, location: int, begin: Ints, end: Ints) -> tuple[Ints, Ints, Ints, Ints]:
        """Return begin, end, cause and moment of each wait in which another location did something,
        for the latest such moment."""
        row = np.searchsorted(self._time, end, "right") - 1
        if not len(self._time):
            return begin[:0], end[:0], begin[:0], begin[:0]
        row = np.where((row >= 0) & (self._location[row] == location), self._before[row], row)
        known = np.flatnonzero((row >= 0) & (self._time[row] > begin))
        row = row[known]
        return begin[known], end[known], self._location[row], self._time[row]


def _before(location: Ints) -> Ints:
    """Return, for each row, the newest row before it of another location; -1 if there is none."""
    is_head = np.append(True, location[1:] != location[:-1])[: len(location)]
    row = np.arange(len(location))
    return np.asarray(np.maximum.accumulate(np.where(is_head, row, 0)) - 1)
