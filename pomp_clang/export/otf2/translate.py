"""Translation of a location's stream to OTF2 events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from pomp_clang.experiment.layout import Column
from pomp_clang.export.otf2.departed_members import MovedEnds, with_moved_ends
from pomp_clang.export.otf2.frames import (
    Frames,
    RunningTask,
    RunningTasks,
    frames_of,
    running_tasks_of,
)
from pomp_clang.export.otf2.region_rows import ConstructPart, RegionNumbers
from pomp_clang.export.otf2.survey import (
    Survey,
    acquisitions,
    kind_of,
    locks_of,
    values_told,
    variables_of,
)
from pomp_clang.otf2.events import Events
from pomp_clang.otf2.layout import MOST_FIELDS, Event, ValueType
from pomp_clang.progress import ProgressCallback
from pomp_clang.trace.layout import FIRST_PHASE, PHASES, Enter, Kind, Op, Type
from pomp_clang.trace.model import Ints, Ops, Stream

PIECE = 1 << 16
_HIGH = np.uint8(0xFF ^ (PHASES - 1))
_PHASED = (Op.PHASE, Op.COUNTED, Op.PHASE_AGAIN)

VALUE_TYPES = np.array([ValueType.INT64, ValueType.UINT64, ValueType.DOUBLE])
"""By layout.Type."""

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class EventStep:
    """OTF2 events of one type for the stream's events at some `rows`; the OTF2 events
    of one row come in the order of the steps."""

    type: Event
    rows: Ints
    fields: tuple[Ints, ...]


def events_of(
    stream: Stream, regions: RegionNumbers, survey: Survey, rank: int,
    before: Sequence[EventStep] = (), after: Sequence[EventStep] = (),
) -> Iterator[Events]:  # fmt: skip
    """Yield OTF2 events in pieces; frames open at the end are closed there.

    The steps `before` and `after` come before and after the stream's own steps.
    """
    stays = with_moved_ends(_close_open_frames(stream, survey.until[rank]), survey)
    steps = _Translation(stays.stream, regions, survey, rank).steps()
    yield from _pieces(
        stays.stream, [*_at_moved_rows(before, stays), *steps, *_at_moved_rows(after, stays)]
    )


def _at_moved_rows(steps: Sequence[EventStep], stays: MovedEnds) -> Iterator[EventStep]:
    return (replace(step, rows=stays.rows(step.rows)) for step in steps)


def counted(
    pieces: Iterable[Events], stream: Stream, progress: ProgressCallback
) -> Iterator[Events]:
    """Yield the pieces, and tell the share of their stream that is done."""
    for number, piece in enumerate(pieces):
        progress(min(1.0, number * PIECE / len(stream.op)))
        yield piece


def _close_open_frames(stream: Stream, end: int) -> Stream:
    frames = frames_of(stream)
    still = np.flatnonzero(~frames.is_closed)[::-1]
    if not len(still):
        return stream
    path = stream.path[frames.row[frames.first[still]]]
    last = max(end, int(stream.time[-1]))
    return Stream(
        stream.location,
        np.append(stream.time, np.full(len(still), last)),
        np.append(stream.op, np.full(len(still), Op.LEAVE, np.uint8)),
        np.append(stream.path, path),
        stream.value_row,
        stream.values,
    )


class _Translation:
    """The translation of a stream; columns have a row for each event."""

    def __init__(self, stream: Stream, regions: RegionNumbers, survey: Survey, rank: int) -> None:
        self.stream = stream
        self.numbers = regions.numbers
        self.survey = survey
        self.rank = rank
        frames = frames_of(stream)
        self.kind, self.was, self.opened, self.frame, self.following = _of_frames(stream, frames)
        self.threads: RunningTasks = running_tasks_of(stream, frames, survey, rank)
        opened_on = np.append(stream.path[frames.row[frames.first[:-1]]], np.uint16(0))
        self.path = np.where(self.frame >= 0, opened_on[self.frame], stream.path)
        """the path of the frame's enter, also where it is left"""
        self.within, self.outside = self._parts()

    def steps(self) -> Iterator[EventStep]:
        """Yield the table: regions that are left, changes of task and team, regions that begin."""
        op, path = self.stream.op, self.path
        complete, create = self.numbers[ConstructPart.WHOLE], self.numbers[ConstructPart.CREATE]
        enters, leaves = op >= Op.ENTER, op == Op.LEAVE
        begins = op == Op.BEGIN
        is_task, is_fork = self.kind == Kind.TASK, kind_of(op) == Kind.FORK
        is_create = self.kind == Kind.CREATE
        of_loop = self.numbers[ConstructPart.TASK]
        region = np.where(is_create & (create[path] >= 0), create[path], complete[path])
        region = np.where(is_task & (of_loop[path] >= 0), of_loop[path], region)
        region = np.where(region < 0, 0, region)
        comm = np.append(self.threads.comm, -1)[self.frame]
        ends = self._ends(leaves)
        has_begun = ends & (self.kind == Kind.PARALLEL)
        left, entered = self._sub_regions()
        acquired, early, lock, order = self._locks()
        critical = (self.survey.criticals[path] < 0) & (self.kind == Kind.SYNC)
        task = self._tasks
        ended = np.flatnonzero(leaves & is_task)
        rows = np.flatnonzero(enters & is_task)

        yield self._step(Event.LEAVE, left, self.outside)
        yield self._step(Event.RELEASE_LOCK, left & critical, lock, order)
        yield EventStep(Event.ACQUIRE_LOCK, early, (lock[early + 1], order[early + 1]))
        yield self._step(Event.LEAVE, ends, region)
        yield EventStep(Event.TASK_COMPLETE, ended, task(ended - 1))
        yield EventStep(Event.TASK_SWITCH, ended, task(ended))
        yield self._step(Event.TEAM_END, has_begun & (comm >= 0), comm)
        yield self._step(Event.THREAD_JOIN, leaves & (self.opened == Kind.FORK))
        yield self._step(Event.THREAD_FORK, is_fork, self._sizes(comm))
        started = begins | (enters & (self.kind == Kind.PARALLEL) & ~is_fork)
        yield self._step(Event.TEAM_BEGIN, started & (comm >= 0), comm)
        yield EventStep(Event.TASK_SWITCH, rows, task(rows))
        yield self._step(Event.ENTER, begins | (enters & ~is_fork), region)
        created = np.flatnonzero(enters & is_create & ((op & Enter.RESUMES) == 0))
        yield EventStep(Event.TASK_CREATE, created, self._created(created))
        yield self._step(Event.ACQUIRE_LOCK, entered & critical, lock, order)
        yield self._step(Event.ENTER, entered, self.within)
        yield EventStep(Event.ACQUIRE_LOCK, acquired, (lock[acquired], order[acquired]))
        yield from self._releases(lock, order)
        yield self._values()
        seen = np.flatnonzero(op == Op.VISITS)
        for event in (Event.ENTER, Event.LEAVE):
            yield EventStep(event, seen, (np.maximum(complete[path[seen]], 0),))

    def _ends(self, leaves: Mask) -> Mask:
        """Return which events leave constructs. A master leaves a parallel region as its join
        begins."""
        ends: Mask = leaves & (self.kind != Kind.FORK)
        op = self.stream.op
        shuts = np.isin(op & _HIGH, _PHASED) & (op & (PHASES - 1) == Column.SHUTDWN_T)
        at = np.flatnonzero(shuts & (self.opened == Kind.FORK) & (self.following >= 0))
        at = at[leaves[self.following[at]]]
        ends[at], ends[self.following[at]] = True, False
        return ends

    def _step(self, event: Event, mask: Mask, *columns: Ints) -> EventStep:
        rows = np.flatnonzero(mask)
        return EventStep(event, rows, tuple(column[rows] for column in columns))

    def _parts(self) -> tuple[Ints, Ints]:
        """Return the part of the construct that each event's frame is in, after the event and
        before it.

        A parallel region's sections, if it has any, have not begun with the region.
        """
        op = self.stream.op
        phased = np.isin(op & _HIGH, _PHASED)
        phase = np.where(phased, op & (PHASES - 1), 0).astype(np.uint8)
        first = np.zeros(256, np.uint8)
        first[list(FIRST_PHASE)] = list(FIRST_PHASE.values())
        first[Kind.PARALLEL] = 0
        special = (kind_of(op) == Kind.WORK) & ((op & Enter.SPECIAL) != 0)
        phase = np.where(op >= Op.ENTER, first[kind_of(op)], phase)
        phase[special] = Column.BODY_T
        runs = _in_tasks(self.kind, phase, self.was)
        phase[runs] = self.was[runs]
        return self._part(phase), self._part(self.was)

    def _part(self, phase: Ops) -> Ints:
        path = self.path
        has_barrier = (self.kind == Kind.WORK) | (self.kind == Kind.PARALLEL)
        in_barrier = has_barrier & ((phase == Column.EXIT_BAR_T) | (phase == Column.TASK_T))
        in_block = (has_barrier | (self.kind == Kind.SYNC)) & (phase == Column.BODY_T)
        waits = self.kind == Kind.WAIT
        makes = waits | (self.kind == Kind.PARALLEL)
        waits = np.where(waits, phase == Column.EXIT_BAR_T, makes & (phase == Column.ENTER_T))
        part = np.full(len(phase), -1)
        for rows, selection in (
            (in_barrier, ConstructPart.BARRIER),
            (in_block, ConstructPart.BLOCK),
            (makes & (phase == Column.CREATE_T), ConstructPart.MAKING),
            (waits, ConstructPart.WAIT),
        ):
            part[rows] = self.numbers[selection][path[rows]]
        return part

    def _sub_regions(self) -> tuple[Mask, Mask]:
        changes = (self.within != self.outside) & (self.frame >= 0)
        leaves = self.stream.op == Op.LEAVE
        return changes & (self.outside >= 0), changes & (self.within >= 0) & ~leaves

    def _tasks(self, rows: Ints) -> tuple[Ints, ...]:
        task: RunningTask = self.threads.task_at(rows)
        return task.comm, task.creator, task.generation

    def _created(self, rows: Ints) -> tuple[Ints, ...]:
        """Return the fields of created tasks, numbered by their creator. The trace does not say
        which thread runs which task."""
        comm = self.threads.task_at(rows).comm
        return comm, np.full(len(rows), self.rank), np.arange(1, len(rows) + 1)

    def _sizes(self, comm: Ints) -> Ints:
        """Return the number of threads of each communicator, 0 if unknown."""
        size = np.array([*(len(ranks) for ranks in self.survey.members), 0])
        return size[comm]

    def _locks(self) -> tuple[Ints, Ints, Ints, Ints]:
        """Return acquisitions after a routine, routines whose end acquires, and by row the lock and
        its order."""
        op, time, path = self.stream.op, self.stream.time, self.stream.path
        rows = acquisitions(self.stream, self.survey.criticals)
        lock = np.full(len(op), -1)
        order = np.full(len(op), 0)
        locks = self.survey.lock_orders[self.rank]
        order[rows] = locks
        holds = np.flatnonzero((op == Op.HOLDS) | (op == Op.HOLDS_MORE))
        before = holds - 1
        as_it_ends = (op[before] == Op.LEAVE) & (path[before] == path[holds])
        as_it_ends &= (time[before] == time[holds]) & (self.kind[before] == Kind.SYNC) & (holds > 0)
        released = np.flatnonzero((op == Op.RELEASES) | (op == Op.HANDS_OVER))
        for moments in (rows, released):
            number = locks_of(self.stream, moments, self.survey.criticals)
            lock[moments] = _place_in(self.survey.locks, number)
        order[released] = self._order_of(rows, locks, lock, released)
        self._close_criticals(lock, order, rows)
        return holds[~as_it_ends], before[as_it_ends], lock, order

    def _order_of(self, rows: Ints, acquired: Ints, lock: Ints, released: Ints) -> Ints:
        """Return the order of the newest acquisition that is still held, 0 for another thread's
        lock."""
        both = np.concatenate([rows, released])
        gets = np.arange(len(both)) < len(rows)
        sort = np.lexsort((both, lock[both]))
        depth = np.empty(len(both), np.int64)
        depth[sort] = np.cumsum(np.where(gets[sort], 1, -1))
        depth[~gets] += 1
        sort = np.lexsort((both, depth, lock[both]))
        before = np.append(-1, sort[:-1])[np.argsort(sort)[~gets]]
        known = (before >= 0) & gets[before] & (lock[both[before]] == lock[released])
        return np.where(known, np.append(acquired, 0)[np.minimum(before, len(acquired))], 0)

    def _values(self) -> EventStep:
        """Return the step of values.

        The highest byte of an integer, and the lowest of a double, may be in a second value.
        """
        rows = values_told(self.stream)
        variable = variables_of(self.stream, rows)
        first, _ = self.stream.values_of(rows)
        second, has = self.stream.values_of(rows, 1)
        type_ = variable & 3
        negative = ~has & (type_ == Type.SIGNED) & (first >> 55 & 1 == 1)
        high = np.where(negative, 0xFF, second & 0xFF)
        value = np.where(type_ == Type.REAL, first << 8 | second & 0xFF, first | high << 56)
        metric = np.searchsorted(self.survey.variables, variable)
        return EventStep(Event.METRIC, rows, (metric, VALUE_TYPES[type_], value))

    def _close_criticals(self, lock: Ints, order: Ints, rows: Ints) -> None:
        """Release each critical's acquisition at its frame's next event."""
        critical = rows[self.survey.criticals[self.stream.path[rows]] < 0]
        follows = self.following[critical]
        has = follows >= 0
        lock[follows[has]] = lock[critical[has]]
        order[follows[has]] = order[critical[has]]

    def _releases(self, lock: Ints, order: Ints) -> Iterator[EventStep]:
        op, path = self.stream.op, self.stream.path
        release = np.maximum(self.numbers[ConstructPart.RELEASE], 0)
        calls = np.flatnonzero((op == Op.RELEASES) | (op == Op.HANDS_OVER))
        following = np.append(op[1:], 0)[calls] == Op.RELEASED
        region = release[np.where(following, np.append(path[1:], 0)[calls], path[calls])]
        yield EventStep(Event.ENTER, calls, (region,))
        yield EventStep(Event.RELEASE_LOCK, calls, (lock[calls], order[calls]))
        at_once = calls[~following]
        yield EventStep(Event.LEAVE, at_once, (region[~following],))
        back = calls[following] + 1
        yield EventStep(Event.LEAVE, back, (region[following],))


def _of_frames(stream: Stream, frames: Frames) -> tuple[Ops, Ops, Ops, Ints, Ints]:
    """Return columns by row: the kind of the frame, the phase before, what opened it, its number,
    and the frame's next row (-1 for none).

    A wait that runs tasks keeps the phase before it.
    """
    size = len(stream.op)
    count = np.diff(frames.first)
    kind, was, opened = (np.zeros(size, np.uint8) for _ in range(3))
    number, following = np.full(size, -1), np.full(size, -1)
    phase = frames.phase.copy()
    phase[(frames.op == Op.BEGIN) | (kind_of(frames.op) == Kind.PARALLEL)] = 0
    newest = np.where(phase == Column.TASK_T, 0, np.arange(len(phase)))
    otherwise = phase[np.maximum.accumulate(newest)]
    runs = _in_tasks(np.repeat(frames.kind, count), phase, otherwise)
    phase[runs] = otherwise[runs]
    before = np.append(np.uint8(0), phase)[:-1]
    before[frames.first[:-1]] = 0
    kind[frames.row] = np.repeat(frames.kind, count)
    was[frames.row] = before
    opened[frames.row] = np.repeat(kind_of(frames.op[frames.first[:-1]]), count)
    number[frames.row] = np.repeat(np.arange(frames.count), count)
    same = np.flatnonzero(np.diff(number[frames.row]) == 0)
    following[frames.row[same]] = frames.row[same + 1]
    return kind, was, opened, number, following


def _in_tasks(kind: Ops, phase: Ops, before: Ops) -> Mask:
    """Return where tasks run within a wait for tasks, or while a taskloop makes its own."""
    of_loop = (before == Column.CREATE_T) | (before == Column.ENTER_T)
    waits = (kind == Kind.WAIT) | ((kind == Kind.PARALLEL) & of_loop)
    in_tasks: Mask = waits & (phase == Column.TASK_T)
    return in_tasks


def _place_in(known: Ints, values: Ints) -> Ints:
    place = np.searchsorted(known, values)
    within = np.minimum(place, max(0, len(known) - 1))
    return np.where(known[within] == values, within, len(known)) if len(known) else place


def _pieces(stream: Stream, steps: list[EventStep]) -> Iterator[Events]:
    time = np.maximum.accumulate(stream.time) if len(stream.time) else stream.time
    for begin in range(0, len(time), PIECE):
        end = min(begin + PIECE, len(time))
        ranges = [np.searchsorted(step.rows, (begin, end)) for step in steps]
        count = np.zeros(end - begin, np.int64)
        for step, (first, last) in zip(steps, ranges, strict=True):
            count[step.rows[first:last] - begin] += 1
        at = np.cumsum(count) - count
        total = int(count.sum())
        type_ = np.empty(total, np.uint8)
        fields = tuple(np.zeros(total, np.int64) for _ in range(MOST_FIELDS))
        for step, (first, last) in zip(steps, ranges, strict=True):
            rows = step.rows[first:last] - begin
            place = at[rows]
            type_[place] = step.type
            for field, values in zip(fields, step.fields, strict=False):
                field[place] = values[first:last]
            at[rows] += 1
        yield Events(np.repeat(time[begin:end], count), type_, fields)
