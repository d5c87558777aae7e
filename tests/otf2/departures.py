"""A stream in which who left a region is in the barrier at its end, row by row."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from pomp_clang.experiment.layout import Column
from pomp_clang.experiment.open_regions import open_until
from pomp_clang.trace.layout import Kind, Op
from pomp_clang.trace.model import Stream, Trace


@dataclass
class _Row:
    time: int
    op: int
    path: int
    values: list[int] = field(default_factory=list)

    @property
    def kind(self) -> int:
        return (self.op & 0x7F) >> 3 if self.op >= Op.ENTER else 0


class Barriers:
    """When the barriers at the regions' ends were over, by team."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.joined: dict[int, int] = {}
        self.assembled: dict[int, int] = {}
        for stream in trace.streams:
            for row in _rows(stream):
                if row.op in (Op.JOINED, Op.ASSEMBLED):
                    moments = self.joined if row.op == Op.JOINED else self.assembled
                    moments[row.values[0]] = row.time

    def within(self, stream: Stream) -> Stream:
        """Return the stream with all frames closed."""
        rows, path_of, team_of = _rows(stream), [], []
        last = open_until(self.trace.records, stream.location, self.trace.end)
        last = max([last, *(row.time for row in rows[-1:])])
        for row in rows:
            if row.kind:
                path_of.append(row.path)
            elif row.op == Op.LEAVE:
                path_of.pop()
        rows += [_Row(last, Op.LEAVE, path) for path in reversed(path_of)]
        result: list[_Row] = []
        depth, until, leave = 0, 0, _Row(0, Op.NONE, 0)
        for number, row in enumerate(rows):
            others = row.kind and not depth and row.kind != Kind.TASK
            if until and (row.time > until or others) and not depth:
                result.append(replace(leave, time=min(until, row.time)))
                until = 0
            if row.kind and not depth:
                team_of = [row.values[0] if row.values else 0, row.path]
            depth += bool(row.kind) - (row.op == Op.LEAVE)
            if row.op == Op.LEAVE and not depth and number and rows[number - 1].op == Op.DEPARTS:
                since, waits = self._waits(rows[number:], team_of[0])
                if until := since:
                    leave = row
                    waits.op, waits.path = Op.PHASE | Column.EXIT_BAR_T, team_of[1]
                    continue
            result.append(row)
        if until:
            result.append(replace(leave, time=max(until, rows[-1].time) if depth else until))
        return _stream(stream, result)

    def _waits(self, rows: list[_Row], team: int) -> tuple[int, _Row]:
        """Return when the barrier was over, 0 if that is not known, and when it began."""
        following = rows[1:]
        for number, row in enumerate(following):
            if row.op == Op.DEPARTS:
                following = following[:number]
                break
        waits = next((row for row in following if row.op == Op.WAITS), rows[0])
        if waits.op != Op.WAITS or not team:
            return 0, waits
        if any(row.op == Op.DEPARTED and row.values[0] == team for row in following):
            return 0, waits
        until = self.assembled.get(team, 0)
        if not until and team not in self.joined and waits.time == rows[0].time:
            until = max(self.trace.end, waits.time)
        return until if until >= waits.time else 0, waits


def _rows(stream: Stream) -> list[_Row]:
    columns = stream.time.tolist(), stream.op.tolist(), stream.path.tolist()
    rows = [_Row(*row) for row in zip(*columns, strict=True)]
    for row, value in zip(stream.value_row.tolist(), stream.values.tolist(), strict=True):
        rows[row].values.append(value)
    return rows


def _stream(stream: Stream, rows: list[_Row]) -> Stream:
    values = [(number, value) for number, row in enumerate(rows) for value in row.values]
    return Stream(
        stream.location,
        np.array([row.time for row in rows], np.int64),
        np.array([row.op for row in rows], np.uint8),
        np.array([row.path for row in rows], np.uint16),
        np.array([number for number, _ in values], np.int64),
        np.array([value for _, value in values], np.int64),
    )
