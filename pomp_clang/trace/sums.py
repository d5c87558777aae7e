"""The profile that a trace tells: the same sums by call path and location as the runtime's."""

from __future__ import annotations

import numpy as np

from pomp_clang.experiment.layout import COLUMNS, Column
from pomp_clang.trace.departures import book_departures
from pomp_clang.trace.frames import Frames, frames_of
from pomp_clang.trace.layout import PHASES, Enter, Kind, Op
from pomp_clang.trace.locks import book_locks
from pomp_clang.trace.model import Ints, Stream, Trace
from pomp_clang.trace.stillness import stillness
from pomp_clang.trace.table import Table
from pomp_clang.trace.teams import Teams, teams_of

Sums = dict[tuple[int, int], list[int]]


def sums(trace: Trace) -> Sums:
    """(call path, location) -> the columns of `layout.Column`, where any is not 0."""
    paths = max(trace.records.paths, default=0) + 1
    teams = teams_of(trace)
    found: Sums = {}
    for stream in trace.streams:
        table = _table(stream, trace.end, teams, paths)
        for path in np.flatnonzero(table.any(axis=1)):
            if path:
                found[int(path), stream.location] = [int(value) for value in table[path]]
    return found


def _table(stream: Stream, end: int, teams: Teams, paths: int) -> Ints:
    table = Table(paths)
    frames = frames_of(stream)
    _book_counts(table, stream)
    _book_frames(table, stream, frames, end)
    _book_phases(table, stream, frames, end)
    book_departures(table, stream, frames, teams)
    book_locks(table, stream, end)
    return table.values


def _book_counts(table: Table, stream: Stream) -> None:
    kind = (stream.op & 0x7F) >> 3
    enters = stream.op >= Op.ENTER
    visits = (
        enters & (kind != Kind.FORK) & (kind != Kind.CREATE) & ((stream.op & Enter.RESUMES) == 0)
    )
    visits |= np.isin(stream.op, (Op.BEGIN, Op.HANDS_OVER, Op.VISITS))
    table.count(Column.EXEC_C, stream.path[visits])
    made = enters & (kind == Kind.CREATE) & ((stream.op & Enter.RESUMES) == 0)
    table.count(Column.CREATE_C, stream.path[made])
    counted = (stream.op & ~np.uint8(PHASES - 1)) == Op.COUNTED
    table.count(Column.BODY_C, stream.path[counted | (stream.op == Op.COUNT_BODY)])


def _book_frames(table: Table, stream: Stream, frames: Frames, end: int) -> None:
    """The time of each visit, and that up to the begin of a parallel region."""
    kind = frames.kind
    opened = frames.first[:-1]
    rows = frames.row[opened]
    path = stream.path[rows]
    startup, _ = stream.values_of(rows, 1)
    start = frames.start - np.where(kind == Kind.PARALLEL, startup, 0)
    still = stillness(frames, end).frame
    took = np.maximum(0, frames.ends(end) - start - still)
    timed = (kind != Kind.FORK) & (kind != Kind.CREATE)
    table.add(Column.EXEC_T, path[timed], took[timed])
    inner = (kind == Kind.USER) & ((frames.how & Enter.SPECIAL) != 0)
    table.add(Column.INNER_T, path[inner], took[inner])
    table.add(Column.STARTUP_T, path[kind == Kind.PARALLEL], startup[kind == Kind.PARALLEL])
    begins = np.flatnonzero(frames.op == Op.BEGIN)
    forked = frames.start[frames.frame_of(begins)]
    table.add(
        Column.STARTUP_T,
        stream.path[frames.row[begins]],
        np.maximum(0, frames.time[begins] - forked),
    )


def _book_phases(table: Table, stream: Stream, frames: Frames, end: int) -> None:
    """From each event of a frame to its next, in the column of what it was doing."""
    following = np.append(frames.time[1:], end)
    ended = np.append(frames.op[1:], Op.LEAVE)
    last = frames.first[1:] - 1
    following[last] = end
    took = np.maximum(0, following - frames.time - stillness(frames, end).event)
    again = (ended & ~np.uint8(PHASES - 1)) == Op.PHASE_AGAIN
    again[last] = False
    booked = (frames.phase != 0) & (frames.op != Op.LEAVE) & ~again
    for phase in np.unique(frames.phase[booked]):
        if Column.EXEC_T < phase < COLUMNS:
            here = booked & (frames.phase == phase)
            table.add(int(phase), stream.path[frames.row[here]], took[here])
