"""A thread's events as JSON of the Trace Event Format.

Each arrow has an id of hexadecimal digits of its own. Perfetto binds each end of an arrow to the
slice that is open at that moment.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from pomp_clang.export.otf2.region_rows import RegionRow
from pomp_clang.export.thread_events import ProcessEvents, ThreadEvents
from pomp_clang.mpi.names import NAMES
from pomp_clang.otf2.events import Events
from pomp_clang.otf2.layout import Event

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
