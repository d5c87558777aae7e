"""The events of a thread, and the operations of a device, as JSON of the Trace Event Format.

Each arrow has an id of hexadecimal digits of its own. Perfetto binds each end of an arrow to the
slice that is open at that moment. Each lane of a device is a track below the threads of its process. A slice has
the bytes, the variable and the construct as arguments."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from pomp_clang.export.otf2.region_rows import ConstructPart, RegionRow
from pomp_clang.export.thread_events import ProcessEvents, ThreadEvents
from pomp_clang.mpi.variants import NAMES
from pomp_clang.otf2.events import Events
from pomp_clang.otf2.layout import Event
from pomp_clang.report.phrases import number as counted
from pomp_clang.trace.devices import (
    NO_LOCATION,
    DeviceIntervals,
    DeviceLane,
    DeviceOperation,
    device_intervals,
    lanes_of,
    operation_name,
)
from pomp_clang.trace.model import Ints

_MARKS = {Event.ACQUIRE_LOCK: "got lock", Event.TASK_CREATE: "task created"}

Arrows = list[str]
"""Their ids."""


class CallDetails(Protocol):
    """Details of a thread's MPI calls, by their order."""

    def details_of(self, number: int) -> tuple[Mapping[str, Any], Arrows, Arrows]:
        """Return a call's arguments, and the messages that begin and end there."""


def metadata_of(pid: int, process: Mapping[str, object], shared: ProcessEvents) -> Iterator[str]:
    """Yield the metadata events of a process and its threads; `process` has the process's own."""
    for field, value in process.items():
        key = "labels" if field == "labels" else field
        yield _json({"ph": "M", "pid": pid, "name": f"process_{field}", "args": {key: value}})
    for location, rank in shared.ranks.items():
        for field, value in (("name", shared.name(location)), ("sort_index", rank)):
            yield _json(
                {
                    "ph": "M",
                    "pid": pid,
                    "tid": rank,
                    "name": f"thread_{field}",
                    "args": {field: value},
                }
            )


def _json(event: Mapping[str, object]) -> str:
    return json.dumps(event, separators=(",", ":"))


class ThreadWriter:
    """An iterator over a thread's events in their order: the time in ns, and a line with a comma
    before it.

    Teams are numbered from `first_team` on, so that those of several processes differ.
    """

    def __init__(
        self,
        pid: int,
        shared: ProcessEvents,
        thread: ThreadEvents,
        nanoseconds: Callable[[Events], list[int]],
        calls: CallDetails | None = None,
        first_team: int = 0,
    ) -> None:
        self.members = shared.survey.members
        self.thread = thread
        self.nanoseconds = nanoseconds
        self.calls = calls
        self.first_team = first_team
        self.where = f'"pid":{pid},"tid":{thread.rank}'
        self.enters = [f"{_begin(row)},{self.where}" for row in shared.rows]
        self.regions = len(self.enters)
        self.slices = 0
        self.met: dict[int, int] = {}
        self.forked: tuple[int, str] | None = None
        self.pending: list[str] = []
        self.call = 0
        self.ending: Arrows = []

    def __iter__(self) -> Iterator[tuple[int, str]]:
        leave = f',\n{{"ph":"E",{self.where}'
        for events in self.thread.events:
            first = events.fields[0].tolist()
            times = self.nanoseconds(events)
            for type_, time, field in zip(events.type.tolist(), times, first, strict=True):
                stamp = f',"ts":{time // 1000}.{time % 1000:03}}}'
                if type_ == Event.ENTER:
                    yield time, self._entered(field, stamp)
                elif type_ == Event.LEAVE:
                    yield time, f"{self._arrived(field, stamp)}{leave}{stamp}"
                elif type_ in _MARKS:
                    mark = f'"ph":"i","s":"t","name":"{_MARKS[Event(type_)]}"'
                    yield time, f",\n{{{mark},{self.where}{stamp}"
                elif type_ == Event.THREAD_FORK:
                    self.forked = time, stamp
                elif type_ == Event.TEAM_BEGIN:
                    yield from self._team_begin(field, time, stamp)

    def _entered(self, region: int, stamp: str) -> str:
        self.slices += 1
        if region < self.regions:
            text = self.enters[region] + stamp
        else:
            text = self._called(region - self.regions) + stamp
        text += "".join(f",\n{{{event},{self.where}{stamp}" for event in self.pending)
        self.pending = []
        return text

    def _team_begin(self, team: int, time: int, stamp: str) -> Iterator[tuple[int, str]]:
        """Yield a team's begin.

        At the master, the time from the fork to its begin is a slice. From there an arrow leads to
        each other member, whose slice is not open yet.
        """
        count = self.met[team] = self.met.get(team, 0) + 1
        number = f"{self.first_team + team + 1:x}{count:07x}"
        members = self.members[team]
        if self.forked is None:
            rank = members.index(self.thread.rank)
            self.pending.append(f'"ph":"f","bp":"e",{_arrow(number, rank)}')
            return
        since, at = self.forked
        self.forked = None
        others = [place for place, member in enumerate(members) if member != self.thread.rank]
        begins = "".join(
            f',\n{{"ph":"s",{_arrow(number, other)},{self.where}{at}' for other in others
        )
        yield since, f',\n{{"ph":"B","name":"fork","cat":"fork",{self.where}{at}{begins}'
        yield time, f',\n{{"ph":"E",{self.where}{stamp}'

    def _called(self, function: int) -> str:
        event: dict[str, object] = {"ph": "B", "name": NAMES[function], "cat": "mpi"}
        if self.calls is not None:
            args, begin_args, self.ending = self.calls.details_of(self.call)
            self.call += 1
            self.pending += [f'"ph":"s",{_message(message)}' for message in begin_args]
            if args:
                event["args"] = args
        return f",\n{_json(event)[:-1]},{self.where}"

    def _arrived(self, region: int, stamp: str) -> str:
        if region < self.regions or not self.ending:
            return ""
        ends = [f'"ph":"f","bp":"e",{_message(message)}' for message in self.ending]
        self.ending = []
        return "".join(f",\n{{{end},{self.where}{stamp}" for end in ends)


def _arrow(number: str, place: int) -> str:
    return f'"id":"{number}{place:04x}","name":"team","cat":"fork"'


def _message(number: str) -> str:
    return f'"id":"{number}","name":"message","cat":"mpi"'


def _begin(row: RegionRow) -> str:
    event: dict[str, object] = {"ph": "B", "name": row.name, "cat": row.role.name.lower()}
    if row.file:
        event["args"] = {"file": row.file, "line": row.lines[0]}
    return f",\n{_json(event)[:-1]}"


class DeviceTracks:
    """The tracks of a process's devices; `nanoseconds` converts moments of its trace."""

    def __init__(
        self, pid: int, shared: ProcessEvents, nanoseconds: Callable[[Ints], list[int]]
    ) -> None:
        self.pid = pid
        self.shared = shared
        self.nanoseconds = nanoseconds
        self.intervals: DeviceIntervals = device_intervals(shared.trace.records)
        self.lanes = lanes_of(self.intervals)

    def metadata(self) -> Iterator[str]:
        """Yield the metadata events of the tracks."""
        for number, lane in enumerate(self.lanes, self.shared.count):
            for field, value in (("name", lane.name), ("sort_index", number)):
                about: Mapping[str, object] = {field: value}
                event = {"ph": "M", "pid": self.pid, "tid": number, "name": f"thread_{field}"}
                yield _json({**event, "args": about})

    def writers(self) -> Iterator[Iterator[tuple[int, str]]]:
        """Yield for each lane an iterator over its slices in time order: the begin in ns, and a line
        with a comma before it."""
        for number, lane in enumerate(self.lanes, self.shared.count):
            yield self._slices(number, lane)

    def _slices(self, track: int, lane: DeviceLane) -> Iterator[tuple[int, str]]:
        rows = lane.rows
        begins = self.nanoseconds(self.intervals.begin[rows])
        ends = self.nanoseconds(self.intervals.end[rows])
        for row, begin, end in zip(rows.tolist(), begins, ends, strict=True):
            name, category, arguments = self._about(row)
            event = {"ph": "X", "name": name, "cat": category, "pid": self.pid, "tid": track}
            times = f'"ts":{_microseconds(begin)},"dur":{_microseconds(max(0, end - begin))}'
            yield begin, f",\n{_json({**event, 'args': arguments})[:-1]},{times}}}"

    def _about(self, row: int) -> tuple[str, str, dict[str, object]]:
        """Return an interval's name, category and arguments."""
        intervals = self.intervals
        operation = DeviceOperation(int(intervals.operation[row]))
        construct = int(self.shared.regions.numbers[ConstructPart.WHOLE][int(intervals.path[row])])
        region = self.shared.rows[construct] if construct > 0 else None
        variable, location = intervals.names[row], int(intervals.location[row])
        arguments: dict[str, object] = {}
        if region is not None:
            arguments |= {"construct": region.name, "file": region.file, "line": region.lines[0]}
        if variable:
            arguments["variable"] = variable
        if intervals.bytes[row]:
            arguments["bytes"] = int(intervals.bytes[row])
        if intervals.teams[row]:
            arguments["teams"] = int(intervals.teams[row])
        if location != NO_LOCATION and location in self.shared.ranks:
            arguments["thread"] = self.shared.name(location)
        if intervals.is_bound[row]:
            arguments["end"] = "upper bound"
        name = operation_name(operation, region.name if region else "", variable)
        return name, operation.name.lower(), arguments


def devices_phrase(all_tracks: Sequence[DeviceTracks]) -> str:
    """Return what a summary says of the devices of all processes."""
    intervals = sum(len(tracks.intervals) for tracks in all_tracks)
    devices = sum(len({lane.device for lane in tracks.lanes}) for tracks in all_tracks)
    return f", {intervals} of {counted(devices, 'device')}" if intervals else ""


def _microseconds(nanoseconds: int) -> str:
    return f"{nanoseconds // 1000}.{nanoseconds % 1000:03}"
