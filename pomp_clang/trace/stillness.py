"""For how long frames stood still while others' tasks ran in their task's place.

As the runtime closes frames: a task that suspends the one beneath it takes its time out of
that one's frames, from where it ran down to the task's own; a wait that runs tasks keeps the
time of those in it, but for what these let run in their turn.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pomp_clang.trace.frames import Frames
from pomp_clang.trace.layout import Enter, Kind
from pomp_clang.trace.model import Ints

_APART = (Kind.TASK, Kind.PARALLEL, Kind.FORK)


@dataclass(frozen=True, slots=True)
class Stillness:
    """Ticks, by frame; and by event, of what the frame was doing from there on."""

    frame: Ints
    event: Ints


def stillness(frames: Frames, end: int) -> Stillness:
    """`end` is when what is still open is thought to end."""
    work = _Work(frames, end)
    for depth in range(len(frames.levels) - 1, 1, -1):
        work.hand_down(depth)
    return Stillness(work.still, work.of_event)


class _Work:
    """From the innermost frames outwards."""

    def __init__(self, frames: Frames, end: int) -> None:
        self.frames = frames
        self.kind = frames.kind
        self.how = frames.how
        self.took = np.maximum(0, frames.ends(end) - frames.start)
        self.still = np.zeros(frames.count, np.int64)
        self.away = np.zeros(frames.count, np.int64)
        self.of_event = np.zeros(len(frames.op), np.int64)
        self.is_task = self.kind == Kind.TASK

    def hand_down(self, depth: int) -> None:
        """What the frames of a depth leave to those beneath."""
        begin, end = int(self.frames.levels[depth - 1]), int(self.frames.levels[depth])
        tells = self.is_task[begin:end] | (self.away[begin:end] != 0)
        above = begin + np.flatnonzero(tells)
        if not len(above):
            return
        rows = self.frames.row[self.frames.first[above]]
        event = self.frames.running(depth - 1, rows)
        beneath = self.frames.frame_of(event)
        still, away = self._of(above, self.kind[beneath] == Kind.WAIT)
        np.add.at(self.still, beneath, still)
        np.add.at(self.of_event, event, still)
        apart = np.isin(self.kind[beneath], _APART)
        np.add.at(self.away, beneath, np.where(apart, 0, away))

    def _of(self, above: Ints, in_wait: npt.NDArray[np.bool_]) -> tuple[Ints, Ints]:
        """For how long the frame beneath stands still, and what it hands down."""
        suspends = (self.how[above] & Enter.SPECIAL) != 0
        switches = (self.how[above] & Enter.SWITCHES) != 0
        task_away = np.where(suspends, self.took[above], 0)
        inside = np.where(suspends | in_wait, self.still[above], 0)
        task_still = np.where(switches, inside, task_away)
        is_task = self.is_task[above]
        away = self.away[above]
        return np.where(is_task, task_still, away), np.where(is_task, task_away, away)
