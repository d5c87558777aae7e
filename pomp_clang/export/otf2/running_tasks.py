"""The team and the task that each event of a location belongs to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pomp_clang.export.otf2.frames import Frames
from pomp_clang.export.otf2.survey import Survey, kind_of
from pomp_clang.trace.layout import Kind, Op
from pomp_clang.trace.model import Ints, Stream


@dataclass(frozen=True, slots=True)
class RunningTask:
    """OTF2's names of tasks, a row each.

    `comm` is -1 outside all teams, `creator` is a rank (-1 if unknown), and `generation` 0 is a
    thread's implicit task.
    """

    comm: Ints
    creator: Ints
    generation: Ints

    def at(self, rows: Ints) -> RunningTask:
        return RunningTask(self.comm[rows], self.creator[rows], self.generation[rows])


@dataclass(frozen=True, slots=True)
class RunningTasks:
    """The events that change team or task: from each of `rows` to the next, `task` is running.

    `comm` has for each frame the team that it makes or belongs to, -1 for none.
    """

    rows: Ints
    task: RunningTask
    comm: Ints

    def task_at(self, rows: Ints) -> RunningTask:
        """Return the task after each event; before the first of `rows` no team is there."""
        place = np.searchsorted(self.rows, rows, "right")
        return self.task.at(place)


def running_tasks_of(stream: Stream, frames: Frames, survey: Survey, rank: int) -> RunningTasks:
    comm = _comms(stream, frames, survey)
    opened, closed, frame = _changes(frames)
    order = np.argsort(np.concatenate([opened, closed]), kind="stable")
    rows = np.concatenate([opened, closed])[order]
    is_open = np.concatenate([np.ones(len(opened), bool), np.zeros(len(closed), bool)])[order]
    frame = frame[order]
    is_task = np.append(frames.kind == Kind.TASK, False)
    runs = _newest(frame, is_open, np.ones(len(frame), bool))
    region = _newest(frame, is_open, ~is_task[frame])
    generation = _generations(stream, frames, survey, rank)
    task = RunningTask(
        np.append(-1, np.append(comm, -1)[region]),
        np.append(rank, np.where(is_task[runs], -1, rank)),
        np.append(0, generation[runs]),
    )
    return RunningTasks(rows, task, comm)


def _changes(frames: Frames) -> tuple[Ints, Ints, Ints]:
    """Return the rows that open and close tasks and regions, and the frame of each."""
    kind = frames.kind
    number = np.flatnonzero((kind == Kind.TASK) | (kind == Kind.PARALLEL))
    opened = frames.row[frames.first[:-1]].copy()
    begins = np.flatnonzero(frames.op == Op.BEGIN)
    opened[frames.frame_of(begins)] = frames.row[begins]
    last = frames.first[number + 1] - 1
    closed = frames.op[last] == Op.LEAVE
    return opened[number], frames.row[last[closed]], np.concatenate([number, number[closed]])


def _newest(frame: Ints, is_open: npt.NDArray[np.bool_], counts: npt.NDArray[np.bool_]) -> Ints:
    """Return the innermost open frame of those that count after each opening or closing, or -1."""
    depth = np.cumsum(np.where(counts, np.where(is_open, 1, -1), 0))
    order = np.argsort(depth, kind="stable")
    opens = (is_open & counts)[order]
    place = np.where(opens, np.arange(len(order)), -1)
    place = np.maximum.accumulate(place) if len(place) else place
    newest = np.full(len(order), -1)
    newest[order] = np.where(depth[order] > 0, frame[order[place]], -1)
    return newest


def _comms(stream: Stream, frames: Frames, survey: Survey) -> Ints:
    opens = frames.first[:-1]
    kind = kind_of(frames.op[opens])
    team, has = stream.values_of(frames.row[opens])
    is_team = has & ((kind == Kind.FORK) | (kind == Kind.PARALLEL))
    place = np.searchsorted(survey.teams, team[is_team])
    comm = np.full(frames.count, -1)
    comm[is_team] = survey.comms[place]
    return comm


def _generations(stream: Stream, frames: Frames, survey: Survey, rank: int) -> Ints:
    """Return the task number of each frame, 0 for other frames; one more row stands for no frame."""
    generations = np.zeros(frames.count + 1, np.int64)
    tasks = np.flatnonzero(frames.kind == Kind.TASK)
    rows = frames.row[frames.first[tasks]]
    number, has = stream.values_of(rows)
    order = np.argsort(rows[~has])
    generation = np.empty(len(tasks), np.int64)
    tied = np.empty(len(order), np.int64)
    tied[order] = np.arange(1, len(order) + 1) + survey.tied[rank]
    generation[~has] = tied
    generation[has] = survey.tied[-1] + 1 + np.searchsorted(survey.numbers, number[has])
    generations[tasks] = generation
    return generations
