"""Delay costs of barriers, computed by the compiled part in NumPy's memory: the work that the last
arriver has beyond the other threads."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.run.run import Run, once
from pomp_clang.causes.timeline.activity import Activity
from pomp_clang.causes.timeline.location_timeline import Numbers, Ticks
from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace.kernel import addresses, load, members, point
from pomp_clang.trace.model import Ints, Paths

WAITS = (
    Activity.EXPLICIT, Activity.IMPLICIT, Activity.CRITICAL, Activity.LOCK, Activity.ORDERED,
    Activity.TASKWAIT, Activity.OUTSIDE,
)  # fmt: skip

_ROOM = 1 << 15
"""Rows that are held at a time, or those of one barrier."""


@dataclass(frozen=True, slots=True)
class Segments:
    """A location's segments: each from its last synchronization to its arrival at a barrier
    instance, in the order of the instances. `path` is the barrier's call path, as the trace numbers
    it."""

    path: Paths
    instance: Ints
    since: Ints
    until: Ints


@dataclass(frozen=True, slots=True)
class DelayCharge:
    """The delay costs of some barrier instances. One row for each instance from `begin` on:
    `waiting` are the ticks that follow from a wait of the last arriver. `rest` are the unexplained
    ticks, charged to the call path at which the last arriver came (`places`).

    Then one row for each (`instance`, `path`) at which the last arriver had more work: the ticks
    charged, and from `since` to `until` the time in which it worked there. Paths are the run's.
    """

    begin: int
    waiting: Ticks
    rest: Ticks
    places: Numbers
    instance: Ints
    path: Ints
    ticks: Ticks
    since: Ints
    until: Ints


_LINE = {"begin": "i8", "path": "u2", "activity": "u1"}
_SEGMENTS = {"instance": "i8", "since": "i8", "until": "i8", "path": "u2"}
_OWN = {"barrier": "instance", "since": "since", "until": "until", "came_at": "path"}
"""Columns of each location."""

_ROWS = {
    "instance": np.int64, "path": np.int64, "ticks": np.float64, "since": np.int64,
    "until": np.int64,
}  # fmt: skip


class _Charging(ctypes.Structure):
    """struct pomp_charging of runtime/replay/charge.h"""

    _fields_ = members(
        "LOCATIONS", "intervals", "begin", "path", "activity", "end",
        "base", "barrier", "since", "until", "came_at", "of", "next",
        "waits", "column", "WIDTH", "BARRIERS", "first", "last", "last_came",
        "waited", "waiting", "rest", "where", "work", "met", "near",
        "ROOM", "COUNT", *(f"row_{name}" for name in _ROWS),
    )  # fmt: skip


class _Booking(ctypes.Structure):
    """struct pomp_booking of runtime/replay/charge.h"""

    _fields_ = members("of", "THREADS", "thread", "cells")


_WORK_DONE = 5
"""Numbers of a struct pomp_work_done."""


def _all_segments(run: Run) -> list[Segments]:
    return [_segments(run, number) for number in range(len(run.timelines))]


segments_of = once(_all_segments)
"""Returns the segments of each location, and keeps them."""


def drop_segments(run: Run) -> None:
    """Drop the segments, to save memory."""
    run.memo.pop(_all_segments, None)


def _segments(run: Run, number: int) -> Segments:
    """Return a location's segments. A member's segment begins at the previous barrier of its team,
    or at the begin of the region."""
    arrivals = run.timelines[number].arrivals
    path, instance, until = arrivals.path, run.instances.of[number], arrivals.enter
    since = np.maximum(arrivals.leave, run.instances.last[instance])
    if (instance[1:] < instance[:-1]).any():
        order = np.argsort(instance, kind="stable")
        path, instance, until, since = path[order], instance[order], until[order], since[order]
    team = run.instances.team[instance]
    first = np.flatnonzero(np.append(True, team[1:] != team[:-1])[: len(team)])
    since[1:] = since[:-1]
    since[first] = _region_begins(run, number, team[first], until[first])
    return Segments(path, instance, since, until)


def _region_begins(run: Run, number: int, team: Numbers, otherwise: Ints) -> Ints:
    """Return when a location began the region of each team, or `otherwise` where that is not
    known."""
    members = run.membership
    own_rows = members.of(number)
    order = np.argsort(members.team[own_rows], kind="stable")
    member, body = members.team[own_rows][order], members.body[own_rows][order]
    row = np.searchsorted(member, team, "right") - 1
    known = row >= 0
    known[known] = member[row[known]] == team[known]
    return np.where(known, body[row], otherwise) if len(body) else otherwise


class DelayCharging:
    """Charges the wait time at barrier instances, in ticks, to the work of the last arriver at each.
    A last arriver with no more work than the others is charged nothing for work. `waiting` is as in
    `DelayCharge`, for all instances."""

    def __init__(self, run: Run, segments: list[Segments], wait_time: Ticks) -> None:
        paths, barriers = len(run.paths), len(wait_time)
        base = np.cumsum([0, *(len(segment.since) for segment in segments)])
        waits = np.zeros(256, np.uint8)
        waits[list(WAITS)] = 1
        self._room = _ROOM + paths + 1
        self.waiting, self._rest = np.zeros(barriers), np.zeros(barriers)
        self._places = np.zeros(barriers, np.int32)
        timeline_columns, segment_columns = (
            _columns(run.timelines, _LINE),
            _columns(segments, _SEGMENTS),
        )
        columns: dict[str, npt.NDArray[Any]] = {
            "intervals": np.array([len(timeline.begin) for timeline in run.timelines], np.uint64),
            **{name: addresses(column) for name, column in timeline_columns.items()},
            "end": np.array([timeline.end for timeline in run.timelines], np.int64), "base": base,
            **{name: addresses(segment_columns[of]) for name, of in _OWN.items()},
            "of": np.empty(base[-1], np.int32), "next": np.empty(base[-1], np.int32),
            "waits": waits, "column": run.places.rows, "first": np.empty(barriers, np.int32),
            "last": run.instances.last_location, "last_came": run.instances.last,
            "waited": wait_time, "waiting": self.waiting, "rest": self._rest, "where": self._places,
            "work": np.zeros((paths + 1) * _WORK_DONE, np.int64), "met": np.empty(paths + 1, np.uint64),
            "near": np.zeros(len(run.timelines), np.uint64),
        }  # fmt: skip
        self._barriers = barriers
        self._struct = _Charging(
            locations=len(run.timelines), width=paths + 1, barriers=barriers, room=self._room
        )
        for name, column in columns.items():
            point(self._struct, name, column)
        self._kept = columns, timeline_columns, segment_columns
        load().pomp_charge_link(ctypes.byref(self._struct))

    def _make_room(self) -> None:
        self._rows = {name: np.empty(self._room, kind) for name, kind in _ROWS.items()}
        for name, column in self._rows.items():
            point(self._struct, f"row_{name}", column)

    def charges(self) -> Iterator[DelayCharge]:
        """Yield the delay costs of some barrier instances at a time, in order."""
        function = load().pomp_charge
        function.argtypes, function.restype = [ctypes.c_void_p, ctypes.c_uint64], ctypes.c_uint64
        begin = 0
        while begin < self._barriers:
            self._make_room()
            end = function(ctypes.byref(self._struct), begin)
            span = slice(begin, end)
            charged_rows = {
                name: column[: self._struct.count] for name, column in self._rows.items()
            }
            yield DelayCharge(
                begin, self.waiting[span], self._rest[span], self._places[span], **charged_rows
            )
            begin = end

    def book(self, thread: Ints, cells: npt.NDArray[np.float64]) -> None:
        """Add the ticks that are charged to the `cells` by call path and thread: the last arrivers'
        extra work at its call path, and the unexplained rest at the barrier's. `thread` is by
        location."""
        self._make_room()
        booking = _Booking(of=ctypes.addressof(self._struct), threads=cells.shape[1])
        point(booking, "thread", thread)
        point(booking, "cells", cells)
        load().pomp_book_charges(ctypes.byref(booking))


def _columns(tables: Iterable[Any], kinds: dict[str, str]) -> dict[str, list[npt.NDArray[Any]]]:
    """Return the named columns of several records, each contiguous and of the type that the
    compiled part expects."""
    tables = list(tables)
    return {
        name: [np.ascontiguousarray(getattr(part, name), kind) for part in tables]
        for name, kind in kinds.items()
    }
