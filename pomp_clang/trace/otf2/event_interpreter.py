"""Interpretation of a location's OTF2 events as the operations that a thread of pomp-clang would
have recorded.

The compiled part is runtime/replay/event_interpreter.c, called with NumPy's memory.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.experiment import ExperimentError
from pomp_clang.experiment.records import RawPath
from pomp_clang.otf2.events import Bytes, Events, Ints
from pomp_clang.otf2.layout import Event
from pomp_clang.trace.kernel import load, members, point
from pomp_clang.trace.model import Stream
from pomp_clang.trace.otf2.region_plans import EntryMeaning, RegionPlan

MOST_PATHS = (1 << 16) - 1
_PLACES = 1 << 18
PIECE = 1 << 16
"""The most events of a location that are interpreted before the next location's turn."""

FINE, UNKNOWN, PATHS, ROOM = range(4)
"""enum pomp_understand_error"""

_OUT_OF_ONE, _VALUES_OF_ONE = 3, 2
"""The most operations, and values, that one event becomes."""

_LOCKS = (Event.ACQUIRE_LOCK, Event.OMP_ACQUIRE_LOCK, Event.RELEASE_LOCK, Event.OMP_RELEASE_LOCK)


class _CallPathColumns(ctypes.Structure):
    _fields_ = members("ROOM", "COUNT", "PLACES", "above", "region", "task", "recurs", "index")


class _Interpretation(ctypes.Structure):
    _fields_ = members(
        "EVENTS", "time", "type", "first", "second",
        "PLANS", "plan_means", "plan_kind", "plan_how", "plan_region",
        "paths", "team_fork", "team_path", "held",
        "OUT_ROOM", "OUT", "out_time", "out_op", "out_path",
        "VALUES_ROOM", "VALUES", "value_row", "value",
        "NOW", "TEAM", "AT", "open",
    )  # fmt: skip


_NO_TEAM = (1 << 64) - 1
"""-1."""


class CallPathTable:
    """Call paths, numbered as the interpreters meet them."""

    def __init__(self) -> None:
        self.columns: dict[str, npt.NDArray[Any]] = {
            "above": np.zeros(MOST_PATHS + 1, np.uint16),
            "region": np.zeros(MOST_PATHS + 1, np.int64),
            "task": np.zeros(MOST_PATHS + 1, np.uint8),
            "recurs": np.zeros(MOST_PATHS + 1, np.uint8),
            "index": np.zeros(_PLACES, np.uint32),
        }
        self.known = _CallPathColumns(room=MOST_PATHS, places=_PLACES)
        for name, column in self.columns.items():
            point(self.known, name, column)

    @property
    def paths(self) -> dict[int, RawPath]:
        rows = slice(1, 1 + int(self.known.count))
        columns = (self.columns[name][rows].tolist() for name in ("above", "region", "task"))
        return {
            number: RawPath(above, region, bool(task))
            for number, (above, region, task) in enumerate(zip(*columns, strict=True), 1)
        }


class PlanColumns:
    """The plans of all regions as columns."""

    def __init__(self, plans: Mapping[int, RegionPlan]) -> None:
        order = sorted(plans)
        means = list(EntryMeaning)
        self.numbers = np.array(order, np.int64)
        self.columns: dict[str, npt.NDArray[Any]] = {
            "plan_means": np.array([means.index(plans[plan].means) for plan in order], np.uint8),
            "plan_kind": np.array([plans[plan].kind for plan in order], np.uint8),
            "plan_how": np.array([plans[plan].flags for plan in order], np.uint8),
            "plan_region": np.array([plans[plan].region for plan in order], np.int64),
        }

    def rows(self, regions: Ints) -> Ints:
        """Return the row of each region, -1 for regions that are not defined."""
        return rows_of(self.numbers, regions)


@dataclass(frozen=True, slots=True)
class ForkedTeams:
    """Teams in the order of their numbers: when the master forked each, and its region's call path
    (0 until the master is there).

    `rows` has for each location the teams that it begins, in its order; -1 is none.
    """

    fork: Ints
    path: Ints
    rows: tuple[Ints, ...]


def rows_of(known: Ints, values: Ints) -> Ints:
    """Return the row of each wanted value in a sorted column, -1 where it is missing."""
    if not len(known):
        return np.full(len(values), -1)
    row = np.minimum(np.searchsorted(known, values), len(known) - 1)
    return np.where(known[row] == values, row, -1)


def teams_of(events: Sequence[Events]) -> ForkedTeams:
    """Find the teams of all locations.

    A master begins its team right after the fork. A team is known by its communicator, and how
    often a location has begun that communicator before.
    """
    begins = [
        np.flatnonzero(events_of_location.type == Event.TEAM_BEGIN) for events_of_location in events
    ]
    comms = [columns.fields[0][rows] for columns, rows in zip(events, begins, strict=True)]
    keys = np.concatenate([np.zeros((0, 2), np.int64), *(_keys(comm) for comm in comms)])
    _, number = np.unique(keys, axis=0, return_inverse=True)
    forks = np.concatenate(
        [np.zeros(0, np.int64), *(columns.time[rows - 1] for columns, rows in zip(events, begins, strict=True))]
    )  # fmt: skip
    is_master = np.concatenate(
        [np.zeros(0, np.bool_), *(_forked_rows(columns, rows) for columns, rows in zip(events, begins, strict=True))]
    )  # fmt: skip
    masters = np.flatnonzero(is_master)
    mastered, first = np.unique(number.reshape(-1)[masters], return_index=True)
    rows = rows_of(mastered, number.reshape(-1))
    ends = np.cumsum([len(begin) for begin in begins])[:-1]
    fork = forks[masters[first]]
    return ForkedTeams(fork, np.zeros(len(fork), np.int64), tuple(np.split(rows, ends)))


def _keys(comm: Ints) -> Ints:
    """Return a row for each begin: its communicator, and the number of earlier begins of it."""
    order = np.argsort(comm, kind="stable")
    ordered = comm[order]
    heads = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: len(comm)])
    count = np.empty(len(comm), np.int64)
    lengths = np.diff(np.append(heads, len(comm)))
    count[order] = np.arange(len(comm)) - np.repeat(heads, lengths)
    return np.stack([comm, count], axis=1)


def _forked_rows(events: Events, rows: Ints) -> npt.NDArray[np.bool_]:
    forked: npt.NDArray[np.bool_] = (events.type[rows - 1] == Event.THREAD_FORK) & (rows > 0)
    return forked


class EventInterpreter:
    """A location whose events are interpreted piece by piece; a team's members wait for its master."""

    def __init__(
        self, location: int, file: str, events: Events, plans: PlanColumns, paths: CallPathTable, teams: ForkedTeams,
        start: int,
    ) -> None:  # fmt: skip
        self.location = location
        self.file = file
        self.events = events
        count = len(events)
        first, second, locks = _numbered(events, plans, teams.rows[location])
        room, values = _OUT_OF_ONE * count + 1, _VALUES_OF_ONE * count + 1
        self.kept: dict[str, npt.NDArray[Any]] = {
            "time": np.ascontiguousarray(events.time, np.int64),
            "type": np.ascontiguousarray(events.type, np.uint8),
            "first": first, "second": second, "held": locks,
            **plans.columns, "team_fork": teams.fork, "team_path": teams.path,
            "out_time": np.empty(room, np.int64), "out_op": np.empty(room, np.uint8),
            "out_path": np.empty(room, np.uint16),
            "value_row": np.empty(values, np.int64), "value": np.empty(values, np.int64),
        }  # fmt: skip
        self.run = _Interpretation(
            events=count, plans=len(plans.numbers), out_room=room, values_room=values, now=start, team=_NO_TEAM
        )  # fmt: skip
        for name, column in self.kept.items():
            point(self.run, name, column)
        self.run.paths = ctypes.addressof(paths.known)
        self.paths = paths

    @property
    def is_done(self) -> bool:
        return bool(self.run.at >= self.run.events)

    def go_on(self) -> int:
        """Interpret at most `PIECE` events; return how many, 0 if a team's master must come first.

        Raises ExperimentError if an event leaves a region that was not entered.
        """
        begin = int(self.run.at)
        until = min(begin + PIECE, len(self.events))
        function = load().pomp_understand
        function.argtypes = [ctypes.c_void_p, ctypes.c_uint64]
        error = function(ctypes.byref(self.run), until)
        if error:
            raise self._refusal(error)
        return int(self.run.at) - begin

    def wait_no_more(self) -> None:
        self.run.team = _NO_TEAM

    def end(self) -> None:
        load().pomp_understood(ctypes.byref(self.run))

    def stream(self) -> Stream:
        rows, values = int(self.run.out), int(self.run.values)
        time, op, path = (self.kept[name][:rows] for name in ("out_time", "out_op", "out_path"))
        value_row, value = (self.kept[name][:values] for name in ("value_row", "value"))
        return Stream(self.location, time, op, path, value_row, value)

    def _refusal(self, error: int) -> ExperimentError:
        if error == PATHS:
            return ExperimentError(
                f"the archive has more than {MOST_PATHS} call paths, which is not read: "
                "leave functions out of it"
            )
        if error == ROOM:
            return ExperimentError(
                f"{self.file}: does not fit the memory ({len(self.events)} events): record less"
            )
        return ExperimentError(
            f"{self.file}: is damaged (at {int(self.events.time[int(self.run.at)])} it leaves what it "
            "did not enter, or names what is not defined): write the archive again"
        )


def _numbered(events: Events, plans: PlanColumns, teams: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the columns `first` and `second` for the kernel, and zeros to count how often each
    lock is held."""
    first, second = events.fields[0].astype(np.int64), np.zeros(len(events), np.int64)
    regions = np.flatnonzero(_is_one(events.type, (Event.ENTER, Event.LEAVE)))
    first[regions] = plans.rows(first[regions])
    first[events.type == Event.TEAM_BEGIN] = teams
    locks = np.flatnonzero(_is_one(events.type, _LOCKS))
    known, number = np.unique(np.maximum(first[locks], 0), return_inverse=True)
    second[locks] = number
    return first, second, np.zeros(len(known) + 1, np.int64)


def _is_one(types: Bytes, event_types: Sequence[Event]) -> npt.NDArray[np.bool_]:
    table = np.zeros(256, np.bool_)
    table[list(event_types)] = True
    return table[types]
