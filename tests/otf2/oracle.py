"""The OTF2 events that a location's stream should become: worked out one by one, from the
words' meaning in docs/reference/trace-format.md."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath

from pomp_clang.experiment.layout import Column
from pomp_clang.experiment.records import Records
from pomp_clang.openmp.pomp_api import DescriptorFlag
from pomp_clang.trace.layout import Enter, Kind, Op
from pomp_clang.trace.model import Stream, Trace
from tests.otf2.departures import Barriers

Expected = tuple[str, int, str]
"""Event, time, and the expected text about its region or threads."""

_BLOCKS = {"single": "single sblock", "critical": "critical sblock", "ordered": "ordered sblock"}

_OF_TASKS = ("wait for tasks", "create tasks")
_WAITS = ((Kind.WAIT, Column.EXIT_BAR_T), (Kind.PARALLEL, Column.ENTER_T))
_AT_THE_END = ("implicit barrier", "wait for tasks")


@dataclass
class _Frame:
    kind: int
    path: int
    forked: bool = False
    team: int = 0
    sub: str = ""


class Oracle:
    def __init__(self, trace: Trace) -> None:
        self.records: Records = trace.records
        self.barriers = Barriers(trace)
        self.members: dict[int, set[int]] = {}
        for stream in trace.streams:
            for row, op in enumerate(stream.op.tolist()):
                if op >= Op.ENTER and (op & 0x7F) >> 3 in (Kind.FORK, Kind.PARALLEL):
                    team = value(stream, row)
                    if team:
                        self.members.setdefault(team, set()).add(stream.location)

    def name(self, path: int, part: str = "") -> str:
        if not path:
            return "not measured"
        region = self.records.regions[self.records.paths[path].region]
        kind, sub, file, _, _ = region.strings
        if region.flags & DescriptorFlag.FUNCTION:
            return sub
        line = region.lines[3] if part in _AT_THE_END else region.lines[0]
        name = f" ({sub})" if sub else ""
        mark = "" if kind == "region" else "!$omp "
        return f"{mark}{part or kind}{name} @{PurePath(file).name}:{line}"

    def words(self, frame: _Frame) -> list[str]:
        """Return the words of the frame's directive."""
        if not frame.path:
            return []
        return self.records.regions[self.records.paths[frame.path].region].strings[0].split()

    def sub(self, frame: _Frame, phase: int) -> str:
        names = self.words(frame)
        part = frame.sub.partition("!$omp ")[2].partition(" @")[0]
        if phase == Column.TASK_T and (frame.kind == Kind.WAIT or part in _OF_TASKS):
            return frame.sub
        if (frame.kind, phase) in _WAITS and ("taskgroup" in names or "taskloop" in names):
            return self.name(frame.path, "wait for tasks")
        if phase == Column.CREATE_T and "taskloop" in names:
            return self.name(frame.path, "create tasks")
        if frame.kind in (Kind.WORK, Kind.PARALLEL) and phase in (Column.EXIT_BAR_T, Column.TASK_T):
            return self.name(frame.path, "implicit barrier") if frame.path else ""
        if frame.kind in (Kind.WORK, Kind.PARALLEL, Kind.SYNC) and phase == Column.BODY_T:
            if "sections" in names:
                return self.name(frame.path, " ".join(names) + " section")
            for keyword, role in _BLOCKS.items():
                if keyword in names:
                    return self.name(frame.path, role)
        return ""

    def is_critical(self, frame: _Frame) -> bool:
        path = self.records.paths.get(frame.path)
        return path is not None and self.records.regions[path.region].strings[0] == "critical"

    def events(self, stream: Stream) -> Iterator[Expected]:
        frames: list[_Frame] = []
        stream = self.barriers.within(stream)
        moment = 0
        for row, op in enumerate(stream.op.tolist()):
            moment = max(moment, int(stream.time[row]))
            for event, text in self._events(stream, row, op, frames):
                yield event, moment, text

    def _events(
        self, stream: Stream, row: int, op: int, frames: list[_Frame]
    ) -> Iterator[tuple[str, str]]:
        path = int(stream.path[row])
        if op >= Op.ENTER:
            kind = (op & 0x7F) >> 3
            frame = _Frame(
                kind,
                path,
                kind == Kind.FORK,
                value(stream, row) if kind in (Kind.FORK, Kind.PARALLEL) else 0,
            )
            frames.append(frame)
            yield from self._enter(frame, op)
        elif op == Op.LEAVE:
            following = stream.op[row + 1 : row + 2].tolist()
            is_acquired = (
                following in ([Op.HOLDS], [Op.HOLDS_MORE]) and frames[-1].kind == Kind.SYNC
            )
            is_acquired = (
                is_acquired
                and stream.path[row + 1] == path
                and stream.time[row + 1] == stream.time[row]
            )
            yield from self._leave(frames.pop(), bool(is_acquired))
        elif op == Op.BEGIN:
            frames[-1].kind = Kind.PARALLEL
            yield from self._begin(frames[-1], 0)
        elif op == Op.VISITS:
            yield "ENTER", self.name(path)
            yield "LEAVE", self.name(path)
        elif Op.PHASE <= op < Op.PHASE_AGAIN + 16:
            yield from self._phase(frames[-1], op & 15)
            following = [
                operation
                for operation in stream.op[row + 1 : row + 3].tolist()
                if operation != Op.ASSEMBLED
            ]
            if op & 15 == Column.SHUTDWN_T and following[:1] in ([], [Op.LEAVE]):
                yield from self._leave_team(frames[-1])
        else:
            yield from self._of_locks(stream, row, op, path)

    def _of_locks(self, stream: Stream, row: int, op: int, path: int) -> Iterator[tuple[str, str]]:
        if op in (Op.HOLDS, Op.HOLDS_MORE):
            before = row and stream.op[row - 1] == Op.LEAVE and stream.path[row - 1] == path
            if not (before and stream.time[row - 1] == stream.time[row]):
                yield "THREAD_ACQUIRE_LOCK", ""
        elif op in (Op.RELEASES, Op.HANDS_OVER):
            yield "ENTER", ""
            yield "THREAD_RELEASE_LOCK", ""
            if stream.op[row + 1 : row + 2].tolist() != [Op.RELEASED]:
                yield "LEAVE", ""
        elif op == Op.RELEASED and stream.op[row - 1] in (Op.RELEASES, Op.HANDS_OVER):
            yield "LEAVE", self.name(path, "release lock")

    def _phase(self, frame: _Frame, phase: int) -> Iterator[tuple[str, str]]:
        sub = self.sub(frame, phase)
        if sub != frame.sub:
            yield from self._leave_sub(frame)
            yield from self._enter_sub(frame, sub)

    def _enter_sub(self, frame: _Frame, sub: str) -> Iterator[tuple[str, str]]:
        frame.sub = sub
        if sub and self.is_critical(frame):
            yield "THREAD_ACQUIRE_LOCK", ""
        if sub:
            yield "ENTER", sub

    def _leave_sub(self, frame: _Frame) -> Iterator[tuple[str, str]]:
        if frame.sub:
            yield "LEAVE", frame.sub
            if self.is_critical(frame):
                yield "THREAD_RELEASE_LOCK", ""

    def _enter(self, frame: _Frame, op: int) -> Iterator[tuple[str, str]]:
        if frame.kind == Kind.FORK:
            size = str(len(self.members[frame.team])) if frame.team else "0"
            yield "THREAD_FORK", size
            return
        if frame.kind == Kind.TASK:
            yield "THREAD_TASK_SWITCH", ""
        special = frame.kind == Kind.WORK and op & Enter.SPECIAL
        yield from self._begin(frame, Column.BODY_T if special else 0)
        if frame.kind == Kind.CREATE and not op & Enter.RESUMES:
            yield "THREAD_TASK_CREATE", ""

    def _begin(self, frame: _Frame, phase: int) -> Iterator[tuple[str, str]]:
        if frame.team:
            yield "THREAD_TEAM_BEGIN", ""
        yield "ENTER", self._whole(frame)
        yield from self._enter_sub(frame, self.sub(frame, phase))

    def _whole(self, frame: _Frame) -> str:
        create = frame.kind == Kind.CREATE and frame.path
        if frame.kind == Kind.TASK and "taskloop" in self.words(frame):
            return self.name(frame.path, " ".join(self.words(frame)) + " task")
        name = self.name(frame.path)
        return (
            self.name(frame.path, "create task")
            if create and name.startswith("!$omp task @")
            else name
        )

    def _leave_team(self, frame: _Frame) -> Iterator[tuple[str, str]]:
        """Yield the events of a master that goes to join, and so has left the region."""
        if frame.forked and frame.kind == Kind.PARALLEL:
            yield from self._leave_sub(frame)
            yield "LEAVE", self._whole(frame)
            if frame.team:
                yield "THREAD_TEAM_END", ""
            frame.kind = Kind.FORK

    def _leave(self, frame: _Frame, is_acquired: bool) -> Iterator[tuple[str, str]]:
        yield from self._leave_sub(frame)
        if is_acquired:
            yield "THREAD_ACQUIRE_LOCK", ""
        if frame.kind != Kind.FORK:
            yield "LEAVE", self._whole(frame)
        if frame.kind == Kind.TASK:
            yield "THREAD_TASK_COMPLETE", ""
            yield "THREAD_TASK_SWITCH", ""
        if frame.kind == Kind.PARALLEL and frame.team:
            yield "THREAD_TEAM_END", ""
        if frame.forked:
            yield "THREAD_JOIN", ""


def value(stream: Stream, row: int) -> int:
    """Return an event's first value; 0 if it has none."""
    result = stream.values[stream.value_row == row].tolist()
    return int(result[0]) if result else 0
