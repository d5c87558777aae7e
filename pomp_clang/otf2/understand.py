"""OTF2's events of a location -> the words' operations: what a thread of this program would have
recorded."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from pomp_clang.experiment.errors import ExperimentError
from pomp_clang.experiment.layout import Column
from pomp_clang.experiment.records import RawPath
from pomp_clang.otf2.encode import Events
from pomp_clang.otf2.layout import Event
from pomp_clang.otf2.roles import Means, Plan
from pomp_clang.trace.layout import Enter, Kind, Op, enter
from pomp_clang.trace.model import Stream

MOST_PATHS = (1 << 16) - 1
_PIECE = 1 << 16


@dataclass(slots=True)
class Team:
    """`number` counts from 1.  `path` is that of its region, 0 until its master is there."""

    number: int
    fork: int
    path: int = 0


Teams = dict[tuple[int, int], Team]
"""By communicator, and how many teams that has been, with this one."""

_TAKES_UP: dict[int, Sequence[int]] = {
    Kind.BARRIER: range(16),
    Kind.CREATE: range(16),
    Kind.WAIT: range(16),
    Kind.WORK: (0, Column.EXIT_BAR_T),
    Kind.PARALLEL: (Column.EXIT_BAR_T, Column.SHUTDWN_T),
}
"""Where a thread takes up others' tasks: kinds of frames, and their phases."""


_FIRST_PHASE: dict[int, int] = {Kind.SYNC: Column.ENTER_T, Kind.CREATE: Column.CREATE_T}


class CallPaths:
    """Numbered as they are met."""

    def __init__(self) -> None:
        self.numbers: dict[tuple[int, int, bool], int] = {}
        self.paths: dict[int, RawPath] = {}
        self.recurs: dict[int, bool] = {}

    def below(self, above: int, region: int, task: bool = False) -> int:
        key = above, region, task
        number = self.numbers.get(key)
        if number is None:
            number = len(self.numbers) + 1
            if number > MOST_PATHS:
                raise ExperimentError(
                    f"the archive has more than {MOST_PATHS} call paths, which is not read: "
                    "leave functions out of it"
                )
            self.numbers[key] = number
            self.paths[number] = RawPath(above, region, task)
            self.recurs[number] = self._is_within(above, region)
        return number

    def _is_within(self, path: int, region: int) -> bool:
        while path:
            raw = self.paths[path]
            if raw.region == region:
                return True
            if raw.task:
                return False
            path = raw.above
        return False


@dataclass(slots=True)
class _Frame:
    """`region` is OTF2's, to compare with what is left.  A part of a construct is a frame
    without a kind: it has phases of the one beneath."""

    region: int
    means: Means
    kind: int = 0
    path: int = 0
    phase: int = 0
    team: Team | None = None
    forked: int = -1
    """the row of the fork, at a team's master"""
    before: int = -1
    """the phase of the frame beneath a task, which it has again after that"""
    since: int = 0
    holds: bool = False
    got: list[int] = field(default_factory=list)


def _columns(events: Events) -> Iterator[tuple[int, int, int, int]]:
    first, second, _ = events.fields
    columns = events.type.tolist(), events.time.tolist(), first.tolist(), second.tolist()
    return zip(*columns, strict=True)


class Machine:
    def __init__(
        self, location: int, plans: Mapping[int, Plan], paths: CallPaths, teams: Teams, first: int
    ) -> None:
        self.location = location
        self.plans = plans
        self.paths = paths
        self.teams = teams
        self.now = first
        self.stack: list[_Frame] = []
        self.met: dict[int, int] = {}
        self.held: dict[int, int] = {}
        self.team: Team | None = None
        self.time, self.op, self.path = array("q"), array("B"), array("H")
        self.value_row, self.values = array("q"), array("q")
        self.handlers: dict[int, Callable[[int, int], None]] = {
            Event.ENTER: self._enter,
            Event.LEAVE: self._leave,
            Event.THREAD_FORK: self._fork,
            Event.OMP_FORK: self._fork,
            Event.THREAD_JOIN: self._join,
            Event.OMP_JOIN: self._join,
            Event.TEAM_BEGIN: self._team_begin,
            Event.ACQUIRE_LOCK: self._acquire,
            Event.OMP_ACQUIRE_LOCK: self._acquire,
            Event.RELEASE_LOCK: self._release,
            Event.OMP_RELEASE_LOCK: self._release,
        }

    def run(self, events: Events, file: str) -> Iterator[int]:
        """Comes back from time to time with how many events it has understood since; with none
        where a team's master must be waited for.

        Raises ExperimentError where what is left was not entered.
        """
        regions = {n for n, plan in self.plans.items() if plan.means == Means.PARALLEL}
        for begin in range(0, len(events), _PIECE):
            for type_, time, a, b in _columns(events.rows(begin, begin + _PIECE)):
                handler = self.handlers.get(type_)
                if not handler:
                    continue
                if type_ == Event.ENTER and a in regions and not self.stack:
                    while self.team and not self.team.path:
                        yield 0
                self.now = max(self.now, time)
                try:
                    handler(a, b)
                except (IndexError, KeyError):
                    raise ExperimentError(
                        f"{file}: is damaged (at {time} it leaves what it did not enter, or "
                        "names what is not defined): write the archive again"
                    ) from None
            yield min(_PIECE, len(events) - begin)

    def stream(self) -> Stream:
        return Stream(
            self.location,
            np.array(self.time, np.int64), np.array(self.op, np.uint8),
            np.array(self.path, np.uint16),
            np.array(self.value_row, np.int64), np.array(self.values, np.int64),
        )  # fmt: skip

    def _say(self, op: int, path: int, *values: int, at: int | None = None) -> None:
        for value in values:
            self.value_row.append(len(self.op))
            self.values.append(value)
        self.time.append(self.now if at is None else at)
        self.op.append(op)
        self.path.append(path)

    def _here(self) -> int:
        """The call path of the newest frame; within a part of a construct, the construct's."""
        return self.stack[-1].path if self.stack else 0

    def _construct(self) -> _Frame | None:
        return self.stack[-1] if self.stack and self.stack[-1].kind else None

    def _phase(self, frame: _Frame, phase: int, op: int = Op.PHASE) -> None:
        frame.phase = phase
        self._say(op | phase, frame.path)

    def _enter(self, region: int, _: int) -> None:
        plan = self.plans[region]
        match plan.means:
            case Means.PARALLEL:
                self._parallel(region, plan)
            case Means.TASK:
                self._task(region, plan)
            case Means.BARRIER | Means.BLOCK if self._is_part(plan):
                self._part(region, plan)
            case Means.RELEASE:
                path = self.paths.below(self._here(), plan.region)
                self.stack.append(_Frame(region, Means.RELEASE, 0, path, since=self.now))
            case _:
                path = self.paths.below(self._here(), plan.region)
                inner = plan.kind == Kind.USER and self.paths.recurs[path]
                self._say(enter(Kind(plan.kind), plan.how | Enter.SPECIAL * inner), path)
                phase = _FIRST_PHASE.get(plan.kind, 0)
                self.stack.append(_Frame(region, plan.means, plan.kind, path, phase))

    def _is_part(self, plan: Plan) -> bool:
        around = self._construct()
        kinds = (Kind.WORK, Kind.PARALLEL, Kind.SYNC)[: 2 if plan.means == Means.BARRIER else 3]
        return around is not None and around.kind in kinds

    def _part(self, region: int, plan: Plan) -> None:
        around = self.stack[-1]
        if plan.means == Means.BARRIER:
            self._phase(around, Column.EXIT_BAR_T)
        elif around.kind != Kind.SYNC:
            self._phase(around, Column.BODY_T, Op.COUNTED)
        elif not around.holds:
            self._phase(around, Column.BODY_T)
        self.stack.append(_Frame(region, plan.means, 0, around.path))

    def _parallel(self, region: int, plan: Plan) -> None:
        newest = self.stack[-1] if self.stack else None
        if newest and newest.kind == Kind.FORK:
            newest.path = self.paths.below(newest.path, plan.region)
            newest.kind, newest.region, newest.means = Kind.PARALLEL, region, Means.PARALLEL
            self.path[newest.forked] = newest.path
            if newest.team:
                newest.team.path = newest.path
            self._say(Op.BEGIN, newest.path)
            return
        team = None if self.stack else self.team
        path = team.path if team else self.paths.below(self._here(), plan.region)
        values = (team.number, max(0, self.now - team.fork)) if team else ()
        self._say(enter(Kind.PARALLEL), path, *values)
        self.stack.append(_Frame(region, Means.PARALLEL, Kind.PARALLEL, path, team=team))

    def _task(self, region: int, plan: Plan) -> None:
        beneath = next((f for f in reversed(self.stack) if f.kind), None)
        how, before = Enter.SPECIAL * self._is_in_task(), -1
        if beneath and beneath.phase in _TAKES_UP.get(beneath.kind, ()):
            before = beneath.phase
            self._phase(beneath, 0 if beneath.kind == Kind.CREATE else Column.TASK_T)
            how |= Enter.SWITCHES
        outer = (f.path for f in reversed(self.stack) if f.kind == Kind.PARALLEL)
        path = self.paths.below(next(outer, 0), plan.region, True)
        self._say(enter(Kind.TASK, how), path)
        self.stack.append(_Frame(region, Means.TASK, Kind.TASK, path, before=before))

    def _is_in_task(self) -> bool:
        kinds = (f.kind for f in reversed(self.stack))
        return (
            next((k for k in kinds if k in (Kind.TASK, Kind.PARALLEL, Kind.FORK)), 0) == Kind.TASK
        )

    def _leave(self, region: int, _: int) -> None:
        frame = self.stack[-1]
        if frame.region != region:
            raise KeyError(region)
        if frame.means == Means.PARALLEL and frame.forked >= 0:
            frame.region = -1
            self._phase(frame, Column.SHUTDWN_T)
            return
        self.stack.pop()
        if frame.means == Means.RELEASE:
            if frame.got:
                self._say(Op.RELEASED, frame.path)
        elif not frame.kind:
            self._leave_part()
        else:
            if frame.means == Means.PARALLEL and frame.team:
                self._say(Op.DEPARTS, frame.path)
            self._say(Op.LEAVE, frame.path)
        for lock in frame.got if frame.means == Means.LOCK else ():
            self._hold(lock, frame.path)
        if frame.before >= 0:
            self._phase(next(f for f in reversed(self.stack) if f.kind), frame.before)

    def _leave_part(self) -> None:
        around = self.stack[-1]
        if around.kind != Kind.SYNC:
            self._phase(around, 0)
        elif not around.holds:
            self._phase(around, Column.EXIT_T)

    def _fork(self, _: int, __: int) -> None:
        here = self._here()
        self.stack.append(_Frame(-1, Means.PARALLEL, Kind.FORK, here, forked=len(self.op)))
        self._say(enter(Kind.FORK), 0)

    def _team_begin(self, comm: int, _: int) -> None:
        """A master's is right behind its fork."""
        count = self.met[comm] = self.met.get(comm, 0) + 1
        self.team = self.teams.get((comm, count))
        newest = self.stack[-1] if self.stack else None
        if self.team and newest and newest.kind == Kind.FORK and newest.forked == len(self.op) - 1:
            newest.team = self.team
            self.value_row.append(newest.forked)
            self.values.append(self.team.number)

    def _join(self, _: int, __: int) -> None:
        frame = self.stack.pop()
        if frame.forked < 0:
            raise KeyError(frame.region)
        self._say(Op.LEAVE, frame.path if frame.kind == Kind.PARALLEL else 0)
        if frame.team:
            self._say(Op.JOINED, 0, frame.team.number)

    def _acquire(self, lock: int, _: int) -> None:
        frame = self._construct()
        if frame and frame.means == Means.LOCK:
            frame.got.append(max(0, lock))
        elif frame and frame.kind == Kind.SYNC:
            frame.holds = True
            self._phase(frame, Column.BODY_T)
        else:
            self._hold(max(0, lock), 0)

    def _hold(self, lock: int, path: int) -> None:
        """One that is held already may be got again."""
        self.held[lock] = held = self.held.get(lock, 0) + 1
        self._say(Op.HOLDS_MORE if held > 1 else Op.HOLDS, path, lock)

    def _release(self, lock: int, _: int) -> None:
        frame = self.stack[-1] if self.stack else None
        self.held[lock] = max(0, self.held.get(lock, 0) - 1)
        if frame and frame.means == Means.RELEASE:
            frame.got.append(lock)
            self._say(Op.RELEASES, frame.path, max(0, lock), at=frame.since)
        elif frame and frame.kind == Kind.SYNC and frame.holds:
            self._phase(frame, Column.EXIT_T)
        else:
            self._say(Op.RELEASES, 0, max(0, lock))
