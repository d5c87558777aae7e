"""Members that left their region before its barrier was over.

An archive has them in the region, and in its barrier, until all members are there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from pomp_clang.experiment.layout import Column
from pomp_clang.export.otf2.survey import Survey, kind_of
from pomp_clang.trace.layout import Kind, Op
from pomp_clang.trace.model import Ints, Stream

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class MovedEnds:
    """A stream with its regions' ends moved to the ends of their barriers, and the new row of each
    old row.

    A moved end has the row of the event before it.
    """

    stream: Stream
    row: Ints

    def rows(self, before: Ints) -> Ints:
        return self.row[before]


@dataclass(frozen=True, slots=True)
class _Lowest:
    """Frames with none beneath: the rows that open and close each, and when it was opened."""

    opened: Ints
    closed: Ints
    time: Ints
    kind: npt.NDArray[np.uint8]


def with_moved_ends(stream: Stream, survey: Survey) -> MovedEnds:
    """Move the regions' ends of a stream in which all frames are closed.

    Members of a team that was not joined stay until the trace ends.
    """
    op = stream.op
    left = np.flatnonzero(op[:-1] == Op.DEPARTS)
    left = left[op[left + 1] == Op.LEAVE]
    waits = _first_after(left, np.flatnonzero(op == Op.WAITS), len(op))
    if not len(left) or not (waits >= 0).any():
        return MovedEnds(stream, np.arange(len(op)))
    lowest = _lowest_of(stream)
    opened = lowest.opened[np.searchsorted(lowest.opened, left) - 1]
    until = _ends(stream, survey, left, waits, opened)
    is_moved = until > 0
    left, waits, opened, until = left[is_moved], waits[is_moved], opened[is_moved], until[is_moved]
    after_waits, until = _places(stream, lowest, waits, until)
    time, changed, path = stream.time.copy(), op.copy(), stream.path.copy()
    time[left + 1] = until
    changed[waits] = Op.PHASE | Column.EXIT_BAR_T
    path[waits] = stream.path[opened]
    order, row = _moved_rows(left + 1, after_waits, len(op))
    value_row = row[stream.value_row]
    moved = replace(
        stream, time=time[order], op=changed[order], path=path[order], value_row=value_row
    )
    row[left + 1] = row[left]
    return MovedEnds(moved, row)


def _lowest_of(stream: Stream) -> _Lowest:
    enters, leaves = stream.op >= Op.ENTER, stream.op == Op.LEAVE
    depth = np.cumsum(enters.astype(np.int8) - leaves.astype(np.int8), dtype=np.int32)
    opened = np.flatnonzero(enters & (depth == 1))
    closed = np.flatnonzero(leaves & (depth == 0))
    return _Lowest(
        opened,
        closed,
        np.maximum.accumulate(stream.time[opened]),
        kind_of(stream.op[opened]),
    )


def _first_after(rows: Ints, others: Ints, size: int) -> Ints:
    """Return the first of `others` after each row and before the next row, -1 if there is none."""
    if not len(others):
        return np.full(len(rows), -1)
    at = np.searchsorted(others, rows)
    first = others[np.minimum(at, len(others) - 1)]
    until = np.append(rows[1:], size)
    return np.where((at < len(others)) & (first > rows) & (first < until), first, -1)


def _ends(stream: Stream, survey: Survey, left: Ints, waits: Ints, opened: Ints) -> Ints:
    """Return when each member's barrier was over, 0 where that is unknown."""
    team, _ = stream.values_of(opened)
    assembled, joined = survey.assembled.at(team), survey.joined.at(team)
    ended = _first_after(left, np.flatnonzero(stream.op == Op.DEPARTED), len(stream.op))
    teams, _ = stream.values_of(np.maximum(ended, 0))
    is_known = (waits >= 0) & (team > 0) & ((ended < 0) | (teams != team))
    since = stream.time[np.maximum(waits, 0)]
    waits_still = (joined == 0) & (since == stream.time[left])
    until = np.where((assembled == 0) & waits_still, np.maximum(survey.end, since), assembled)
    return np.where(is_known & (until >= since), until, 0)


def _places(stream: Stream, lowest: _Lowest, waits: Ints, until: Ints) -> tuple[Ints, Ints]:
    """Return the row after which each barrier was over, and when. A barrier encloses its tasks and
    nothing else."""
    count = len(lowest.opened)
    first = np.searchsorted(lowest.opened, waits)
    others = np.append(np.flatnonzero(lowest.kind != Kind.TASK), count)
    stop = others[np.searchsorted(others, first)]
    stop = np.maximum(first, np.minimum(stop, np.searchsorted(lowest.time, until, "right")))
    following = np.append(lowest.time, np.iinfo(np.int64).max)[stop]
    last = lowest.closed[np.maximum(stop - 1, 0)]
    place = np.where(stop > first, last, waits)
    return place, np.maximum(np.minimum(until, following), stream.time[place])


def _moved_rows(rows: Ints, targets: Ints, size: int) -> tuple[Ints, Ints]:
    """Move some rows behind others; return the new order, and the new place of each row."""
    key = 2 * np.arange(size)
    key[rows] = 2 * targets + 1
    order = np.argsort(key, kind="stable")
    row = np.empty(size, np.int64)
    row[order] = np.arange(size)
    return order, row
