"""The frames in a stream with their events and phases, and the team and the task that each event belongs
to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pomp_clang.experiment import ExperimentError
from pomp_clang.experiment.layout import Column
from pomp_clang.export.otf2.survey import Survey, kind_of
from pomp_clang.trace.layout import FIRST_PHASE, KIND_SHIFT, PHASES, Enter, Kind, Op, enter
from pomp_clang.trace.model import Ints, Ops, Stream

_ENTERS = np.zeros(256, np.bool_)
_OF_FRAME = np.zeros(256, np.bool_)
_PHASE = np.zeros(256, np.uint8)

for _kind in Kind:
    for _how in range(8):
        _op = enter(_kind, _how)
        _ENTERS[_op] = _OF_FRAME[_op] = True
        _PHASE[_op] = FIRST_PHASE.get(_kind, 0)
    _PHASE[[enter(Kind.WORK, Enter.SPECIAL | more) for more in (0, 1, 4, 5)]] = Column.BODY_T
for _op in (Op.PHASE, Op.COUNTED, Op.PHASE_AGAIN):
    _PHASE[_op : _op + PHASES] = range(PHASES)
    _OF_FRAME[_op : _op + PHASES] = True
_PHASE[Op.BEGIN] = Column.BODY_T
_OF_FRAME[[Op.LEAVE, Op.BEGIN]] = True


@dataclass(frozen=True, slots=True)
class Frames:
    """Events that open, change and close frames; those of a frame stand together.

    `row` are their rows in the stream, `phase` the phase that the frame is in until its next event.
    Frame k has the events from `first[k]` up to `first[k + 1]`. Frames of one depth stand together
    in the order of time: those of depth d (from 1) from `levels[d - 1]` up to `levels[d]`.
    """

    row: Ints
    time: Ints
    op: Ops
    phase: Ops
    first: Ints
    levels: Ints

    @property
    def count(self) -> int:
        return len(self.first) - 1

    @property
    def kind(self) -> Ops:
        """The kind of each frame; a fork takes its master's region's kind where that begins."""
        kind: Ops = ((self.op[self.first[:-1]] & 0x7F) >> KIND_SHIFT).astype(np.uint8)
        begins = np.flatnonzero(self.op == Op.BEGIN)
        kind[self.frame_of(begins)] = Kind.PARALLEL
        return kind

    @property
    def how(self) -> Ops:
        """The bits of `layout.Enter` of each frame."""
        how: Ops = (self.op[self.first[:-1]] & 7).astype(np.uint8)
        return how

    @property
    def is_closed(self) -> npt.NDArray[np.bool_]:
        closed: npt.NDArray[np.bool_] = self.op[self.first[1:] - 1] == Op.LEAVE
        return closed

    @property
    def start(self) -> Ints:
        return self.time[self.first[:-1]]

    def frame_of(self, events: Ints) -> Ints:
        return np.searchsorted(self.first, events, "right") - 1

    def ends(self, end: int) -> Ints:
        """Return when each frame was closed, `end` for open ones."""
        return np.where(self.is_closed, self.time[self.first[1:] - 1], end)

    def running(self, depth: int, rows: Ints) -> Ints:
        """Return the newest event of a depth as of each of some rows, which must follow the depth's
        first event."""
        begin, end = int(self.first[self.levels[depth - 1]]), int(self.first[self.levels[depth]])
        running: Ints = begin + np.searchsorted(self.row[begin:end], rows, "right") - 1
        return running


def frames_of(stream: Stream) -> Frames:
    """Sort a stream's events into frames. Raises ExperimentError if an event closes a frame that
    was not open."""
    row = np.flatnonzero(_OF_FRAME[stream.op])
    op = stream.op[row]
    enters = _ENTERS[op]
    leaves = op == Op.LEAVE
    depth = np.cumsum(enters.astype(np.int8) - leaves.astype(np.int8), dtype=np.int32)
    depth += leaves
    if len(depth) and depth.min() < 1:
        raise ExperimentError(
            f"trace of location {stream.location}: is damaged (event "
            f"{int(row[np.argmax(depth < 1)])} is of no visit): run the program again for a new trace"
        )
    deepest = int(depth.max()) if len(depth) else 0
    small = depth.astype(np.uint16) if deepest < 1 << 16 else depth
    order = np.argsort(small, kind="stable")
    op, row = op[order], row[order]
    first = np.append(np.flatnonzero(_ENTERS[op]), len(op))
    starts = np.searchsorted(depth[order], np.arange(1, deepest + 2))
    levels = np.searchsorted(first, starts)
    return Frames(row, stream.time[row], op, _PHASE[op], first, levels)


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
