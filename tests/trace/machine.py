"""A slow machine that takes a location's events one by one; the compiled replay must agree."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy

from pomp_clang.experiment import ExperimentError
from pomp_clang.experiment.layout import Column
from pomp_clang.trace.layout import FIRST_PHASE, KIND_SHIFT, PHASES, Enter, Kind, Op, Type, is_value
from pomp_clang.trace.model import Stream


def _value(kind: int, values: list[int]) -> int:
    wide = len(values) > 1
    if kind == Type.REAL:
        bits = values[0] << 8 | (values[1] & 255 if wide else 0)
    else:
        bits = values[0] | (values[1] & 255 if wide else 0) << 56
        if kind == Type.SIGNED and not wide and bits >> 55:
            bits |= 255 << 56
    return bits - (1 << 64 if bits >> 63 else 0)


class _Frame:
    def __init__(self, visit: int, kind: int, phase: int, path: int, team: int) -> None:
        self.visit = visit
        self.kind = kind
        self.phase = phase
        self.path = path
        self.team = team
        self.barriers = 0
        self.met: int | None = None
        self.lock = -1


TABLES = (
    "intervals", "visits", "earlier", "locks", "numbered", "departures", "joined", "assembled",
    "values",
)  # fmt: skip


class Machine:
    """The tables' rows, as `replay` has their columns."""

    def __init__(self, stream: Stream, end: int, criticals: Mapping[int, int]) -> None:
        self.stream = stream
        self.end = end
        self.criticals = criticals
        self.stack: list[_Frame] = []
        self.intervals: list[list[int]] = []
        self.visits: list[list[int]] = []
        self.locks: list[list[int]] = []
        self.numbered: list[list[int]] = []
        self.departures: list[list[int]] = []
        self.joined: list[list[int]] = []
        self.assembled: list[list[int]] = []
        self.values: list[list[int]] = []
        self.held: dict[int, list[int]] = {}
        self.earlier: list[list[int]] = []
        self.left = self.newest = -1
        self.left_region: _Frame | None = None
        self.beneath = -1

    def run(self) -> None:
        stream = self.stream
        at = 0
        rows = stream.value_row.tolist()
        values = stream.values.tolist()
        events = zip(stream.op.tolist(), stream.path.tolist(), stream.time.tolist(), strict=True)
        for row, (op, path, time) in enumerate(events):
            first = at
            while at < len(rows) and rows[at] == row:
                at += 1
            changes = op in (Op.LEAVE, Op.BEGIN, Op.DEPARTS) or Op.PHASE <= op < Op.TELLS
            if changes and not self.stack:
                raise ExperimentError(
                    f"trace of location {stream.location}: is damaged (event {row} is of no "
                    "visit): run the program again for a new trace"
                )
            self._event(op, path, time, values[first:at])
        self._lose_locks(self.end)
        while self.stack:
            self._end(self.end)

    def _event(self, op: int, path: int, time: int, values: list[int]) -> None:
        if op >= Op.ENTER:
            self._open(op, path, time, values)
        elif op == Op.LEAVE:
            self._close(time)
        elif is_value(op):
            visit = self.stack[-1].visit if self.stack else -1
            self.values.append([path, time, visit, op - Op.TELLS, _value(op - Op.TELLS, values)])
        elif Op.PHASE <= op < Op.TELLS:
            self._phase(op % PHASES, path, time)
        elif op == Op.BEGIN:
            frame = self.stack[-1]
            frame.kind = self.visits[frame.visit][3] = Kind.PARALLEL
            self._phase(Column.BODY_T, path, time)
        elif op in (Op.HOLDS, Op.HOLDS_MORE, Op.RELEASES, Op.ENDS):
            self._lock(op, path, time, values)
        elif op == Op.JOINED:
            self.joined.append([values[0], time])
        elif op == Op.ASSEMBLED:
            self.assembled.append([values[0], time])
        else:
            self._depart(op, time, values)

    def _depart(self, op: int, time: int, values: list[int]) -> None:
        if op == Op.DEPARTS:
            region = self.stack[-1]
            self.left = len(self.departures)
            self.left_region = copy(region) if region.kind == Kind.PARALLEL else None
            self.departures.append([region.visit, region.team, time, 0, 0, 0])
        elif op == Op.DEPARTED and not values[0]:
            self.left = -1
        elif self.left >= 0 and op in (Op.WAITS, Op.DEPARTED):
            left = self.departures[self.left]
            column = 3 if op == Op.WAITS else 4
            if op == Op.WAITS and self.left_region:
                self._pass(self.left_region, time)
                self.left_region = None
            if not left[column] and (op == Op.WAITS or values[0] == left[1]):
                left[column] = time

    def _stretch(self, time: int) -> None:
        row = [time, 0, 0, -1]
        if self.stack:
            top = self.stack[-1]
            phase = Column.STARTUP_T if top.kind == Kind.FORK else top.phase
            row = [time, top.path, phase, top.visit]
        if self.intervals:
            row[0] = max(time, self.intervals[-1][0])
            if self.intervals[-1][0] == row[0]:
                self.intervals.pop()
        self.intervals.append(row)

    def _open(self, op: int, path: int, time: int, values: list[int]) -> None:
        kind, flags = (op & 0x7F) >> KIND_SHIFT, op & 7
        visit = len(self.visits)
        phase = int(FIRST_PHASE.get(Kind(kind), 0))
        if kind == Kind.WORK and flags & Enter.SPECIAL:
            phase = Column.BODY_T
        outer = self.stack[-1] if self.stack else None
        team = outer.team if outer else 0
        self.newest = -1
        if not self.stack and self.left >= 0:
            team = self.departures[self.left][1]
        if kind in (Kind.FORK, Kind.PARALLEL):
            team = values[0] if values else 0
        frame = _Frame(visit, kind, phase, path, team)
        ordinal = -1
        if kind == Kind.BARRIER:
            ordinal = self._meet()
        if kind == Kind.TASK:
            if values:
                self.numbered.append([visit, values[0]])
            if not self.stack:
                self.beneath = self.left
        self.stack.append(frame)
        self.visits.append(
            [time, self.end, path, kind, flags, outer.visit if outer else -1, team, ordinal]
        )
        self._stretch(time)

    def _meet(self) -> int:
        """Return the number of barriers of its team that the member has met before."""
        for frame in reversed(self.stack):
            if frame.kind == Kind.TASK:
                return -1
            if frame.kind in (Kind.PARALLEL, Kind.FORK):
                frame.barriers += 1
                return frame.barriers - 1
        return -1

    def _phase(self, phase: int, path: int, time: int) -> None:
        frame = self.stack[-1]
        again = frame.phase in (Column.EXIT_BAR_T, Column.TASK_T) and frame.met is not None
        frame.phase = phase
        frame.path = path
        visit = self.visits[frame.visit]
        if phase == Column.EXIT_BAR_T and not again:
            self._come(frame, time)
        if phase != Column.BODY_T and frame.lock >= 0:
            self.locks[frame.lock][4] = time
            frame.lock = -2
        if frame.kind == Kind.SYNC and path in self.criticals:
            requested = visit[0]
            if phase == Column.BODY_T and frame.lock == -1:
                frame.lock = len(self.locks)
                self.locks.append(
                    [path, self.criticals[path], requested, time, self.end, frame.visit]
                )
        self._stretch(time)

    def _come(self, frame: _Frame, time: int) -> None:
        if frame.kind not in (Kind.WORK, Kind.PARALLEL):
            return
        self._pass(frame, time)
        if frame.kind == Kind.PARALLEL:
            frame.met = time
        else:
            ordinal = self.visits[frame.visit][7] = self._meet()
            frame.met = time if ordinal >= 0 else None

    def _pass(self, frame: _Frame, time: int) -> None:
        """Record that the barrier which the frame has met was not its last."""
        if frame.met is None:
            return
        ordinal = self.visits[frame.visit][7]
        if frame.kind == Kind.PARALLEL:
            ordinal = frame.barriers
            frame.barriers += 1
        self.earlier.append([frame.visit, ordinal, frame.met, time])

    def _end(self, time: int) -> _Frame:
        frame = self.stack.pop()
        visit = self.visits[frame.visit]
        visit[1] = time
        if frame.lock >= 0:
            self.locks[frame.lock][4] = time
        if frame.kind == Kind.PARALLEL:
            visit[7] = frame.barriers
        return frame

    def _close(self, time: int) -> None:
        frame = self._end(time)
        if frame.kind == Kind.TASK and not self.stack and self.beneath >= 0:
            self.departures[self.beneath][5] += max(0, time - self.visits[frame.visit][0])
        self.newest = frame.visit
        self._stretch(time)

    def _lock(self, op: int, path: int, time: int, values: list[int]) -> None:
        if op == Op.ENDS:
            self._lose_locks(time)
            return
        held_since = self.held.setdefault(values[0], [])
        if op == Op.RELEASES:
            if held_since:
                self.locks[held_since.pop()][4] = time
            return
        if op == Op.HOLDS:
            for row in held_since:
                self.locks[row][4] = -1
            held_since.clear()
        held_since.append(len(self.locks))
        visit = self.newest if path else -1
        if visit >= 0 and self.visits[visit][1:3] != [time, path]:
            visit = -1
        requested = self.visits[visit][0] if visit >= 0 else time
        self.locks.append([path, values[0], requested, time, self.end, visit])

    def _lose_locks(self, time: int) -> None:
        for held_since in self.held.values():
            for row in held_since:
                self.locks[row][4] = time
        self.held.clear()
