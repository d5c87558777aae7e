"""Members that have left their team's region: what becomes of their time up to its join."""

from __future__ import annotations

import numpy as np

from pomp_clang.experiment.layout import Column
from pomp_clang.trace.frames import Frames
from pomp_clang.trace.layout import Kind, Op
from pomp_clang.trace.model import Ints, Stream
from pomp_clang.trace.table import Table
from pomp_clang.trace.teams import Teams


def book_departures(table: Table, stream: Stream, frames: Frames, teams: Teams) -> None:
    rows, team, paths = _departures(stream, frames)
    if not len(rows):
        return
    since = stream.time[rows]
    end, by_itself = _ends(stream, rows, team, teams)
    is_over = end > 0
    waits = _waits(stream, rows)
    assembled = np.where(by_itself, 0, teams.assembled.of(team))
    waited = np.where(waits > 0, np.maximum(0, assembled - waits), 0)
    tasks = _tasks(stream, frames, rows)
    took = np.maximum(0, end - since)
    for column, ticks in (
        (Column.TASK_T, tasks),
        (Column.EXIT_BAR_T, np.maximum(0, waited - tasks)),
        (Column.SHUTDWN_T, np.maximum(0, took - np.maximum(waited, tasks))),
        (Column.EXEC_T, took),
    ):
        table.add(column, paths[is_over], ticks[is_over])


def _departures(stream: Stream, frames: Frames) -> tuple[Ints, Ints, Ints]:
    """The events by which workers leave their teams, in the stream's order."""
    rows = np.flatnonzero(stream.op == Op.DEPARTS)
    rows = rows[rows > frames.row[0]] if frames.count else rows[:0]
    region = frames.frame_of(frames.running(1, rows)) if len(rows) else rows
    team, _ = stream.values_of(frames.row[frames.first[region]])
    return rows, team, stream.path[rows].astype(np.int64)


def _following(stream: Stream, op: Op, rows: Ints) -> tuple[Ints, Ints]:
    """Of each row, the next event of a kind, if it comes before the next of the rows; its
    place among those of the kind, and the row or -1."""
    others = np.flatnonzero(stream.op == op)
    if not len(others):
        return np.zeros(len(rows), np.int64), np.full(len(rows), -1)
    at = np.searchsorted(others, rows)
    found = others[np.minimum(at, len(others) - 1)]
    limit = np.append(rows[1:], len(stream.op))
    return at, np.where((at < len(others)) & (found < limit), found, -1)


def _ends(stream: Stream, rows: Ints, team: Ints, teams: Teams) -> tuple[Ints, Ints]:
    """When the team was joined, 0 where that was not told; and where the member itself took
    it for joined."""
    joined = teams.joined.of(team)
    _, own = _following(stream, Op.DEPARTED, rows)
    told, _ = stream.values_of(np.maximum(own, 0))
    by_itself = (own >= 0) & (told == team)
    return np.where(by_itself, stream.time[own], joined), by_itself


def _waits(stream: Stream, rows: Ints) -> Ints:
    _, at = _following(stream, Op.WAITS, rows)
    return np.where(at >= 0, stream.time[at], 0)


def _tasks(stream: Stream, frames: Frames, rows: Ints) -> Ints:
    """Ticks that tasks took which ran beneath no region, from each row to the next."""
    lowest = slice(0, int(frames.levels[1]) if len(frames.levels) > 1 else 0)
    is_task = (frames.kind[lowest] == Kind.TASK) & frames.is_closed[lowest]
    begins = frames.row[frames.first[:-1][lowest][is_task]]
    took = np.maximum(0, frames.ends(0)[lowest][is_task] - frames.start[lowest][is_task])
    at = np.searchsorted(rows, begins) - 1
    total = np.zeros(len(rows), np.int64)
    np.add.at(total, at[at >= 0], took[at >= 0])
    return total
