"""The recorded tasks of a barrier, one object each: the naive computation of `task_graph`.

A task is one row, the implicit tasks of the team's threads first. Tasks are tied: a task stays on
its thread from its begin to its end. The trace does not say which creation a task is of. Its thread
takes the newest own one of its construct, else the oldest of the others, as runtimes do.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from pomp_clang.causes.remedies import task_graph
from pomp_clang.causes.remedies.task_kernel import CREATE, WAIT, WORK
from pomp_clang.causes.run.run import Run
from pomp_clang.causes.timeline.activity import BARRIERS, Activity
from pomp_clang.causes.timeline.location_timeline import LocationTimeline, Ticks
from pomp_clang.trace.layout import Enter, Kind
from pomp_clang.trace.model import Ints

_IDLE = (
    *BARRIERS, Activity.TASKWAIT, Activity.CREATE, Activity.FORK, Activity.JOIN, Activity.OUTSIDE,
)  # fmt: skip
_CREATION = 11
"""The place of `EventCosts.creation` among the recorded costs."""


@dataclass(slots=True)
class RecordedTask:
    """A task: `steps` are pairs of a kind and a value, WORK and ticks, CREATE and a task, WAIT and
    the call path (row of the run's) of the wait. `inclusive` is the work of it and all tasks below."""

    construct: tuple[str, int]
    thread: int
    steps: list[tuple[int, float]] = field(default_factory=list)
    parent: int = -1
    inclusive: float = 0.0
    creation: float = 0.0

    @property
    def work(self) -> float:
        return sum(value for kind, value in self.steps if kind == WORK)


@dataclass(slots=True)
class TaskPhase:
    """What a team does until a barrier: `roots` are the implicit tasks, `duration` the ticks from its
    begin until all have left the barrier. `tasks` is the number of explicit tasks."""

    begin: int
    end: int
    roots: list[int] = field(default_factory=list)
    tasks: int = 0

    @property
    def duration(self) -> int:
        return max(0, self.end - self.begin)


@dataclass(slots=True)
class ReferenceGraph:
    """The first tasks of a run, as in `task_graph.TaskGraph`."""

    tasks: list[RecordedTask]
    phases: list[TaskPhase]
    dispatch: float
    later: float = 0.0


def reference_graph_of(run: Run) -> ReferenceGraph | None:
    """Build the graph; None if there are no tasks, tasks that moved, or nested teams."""
    visits = [timeline.tasks.visits for timeline in run.timelines]
    runs = sum(int((visit.kind == Kind.TASK).sum()) for visit in visits)
    moved = any((visit.how & Enter.RESUMES).any() for visit in visits)
    if not runs or moved or not run.membership.outermost.all():
        return None
    return _Builder(run).built()


class _Visit(NamedTuple):
    """A visit of a task, a creation or a wait: its moments, the ticks that the location has worked
    up to them, its kind, and the row of its call path in the run."""

    begin: int
    end: int
    busy_begin: float
    busy_end: float
    kind: int
    row: int


def _visits_of(run: Run, timeline: LocationTimeline, busy: _Busy, until: int) -> list[_Visit]:
    """Return the visits of a location that begin before a moment."""
    visits = timeline.tasks.visits
    number = int(np.searchsorted(visits.begin, until))
    begin, end = visits.begin[:number], visits.end[:number]
    columns = (
        begin, end, busy.until(begin), busy.until(end),
        visits.kind[:number], run.places.rows[visits.path[:number]],
    )  # fmt: skip
    return [_Visit(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]


_Stack = list[tuple[int, float, int, int]]
"""Open tasks with their ends, and the ticks worked up to these; a task group stands for its task,
with its call path."""


class _Builder:
    def __init__(self, run: Run) -> None:
        self._run = run
        self._tasks: list[RecordedTask] = []
        self._phases: dict[int, TaskPhase] = {}
        self._created: list[tuple[int, int, int, int, float]] = []
        self._begun: list[tuple[int, int, int]] = []
        self._until = _last_of_first(run)

    def built(self) -> ReferenceGraph | None:
        for location, timeline in enumerate(self._run.timelines):
            self._walk(location, timeline)
        if not self._match():
            return None
        self._sum_up()
        self._settle_prices()
        return ReferenceGraph(
            self._tasks,
            [phase for phase in self._phases.values() if phase.tasks and phase.begin < self._until],
            _dispatch(self._run),
            sum(
                float(phase.duration)
                for phase in self._phases.values()
                if phase.tasks and phase.begin >= self._until
            ),
        )

    def _walk(self, location: int, timeline: LocationTimeline) -> None:
        """Follow a location through its phases, and note its tasks with their steps."""
        busy = _Busy(timeline)
        visits, arrivals = timeline.tasks.visits, timeline.arrivals
        members = self._run.membership.of(location)
        body = dict(
            zip(
                self._run.membership.team[members].tolist(),
                self._run.membership.body[members].tolist(),
                strict=True,
            )
        )
        of, team = self._run.instances.of[location], self._run.instances.team
        at, earlier = 0, 0
        ahead = _visits_of(self._run, timeline, busy, self._until)
        for arrival in np.argsort(arrivals.leave, kind="stable").tolist():
            instance, until = int(of[arrival]), int(arrivals.leave[arrival])
            instance_team = int(team[instance])
            since = max(earlier, body.get(instance_team, earlier))
            phase = self._phases.setdefault(instance, TaskPhase(since, until))
            phase.begin, phase.end = min(phase.begin, since), max(phase.end, until)
            first, following = np.searchsorted(visits.begin, [since, until])
            phase.tasks += int((visits.kind[first:following] == Kind.TASK).sum())
            earlier, until = until, min(until, self._until)
            if since >= until:
                continue
            root = self._new(("", 0), location)
            phase.roots.append(root)
            at = self._follow(ahead, at, location, root, (since, until), busy)

    def _follow(
        self,
        visits: Sequence[_Visit],
        at: int,
        location: int,
        root: int,
        extent: tuple[int, int],
        busy: _Busy,
    ) -> int:
        """Follow a location through a phase, from a visit on; return the first visit behind it."""
        since, until = extent
        last, end_of_phase = busy.until(np.array(extent)).tolist()
        stack: _Stack = [(until, end_of_phase, root, -1)]
        while at < len(visits) and visits[at].begin < until:
            visit = visits[at]
            if visit.begin >= since:
                last = self._close(stack, visit.begin, last)
                self._work(stack[-1][2], visit.busy_begin - last)
                last = self._open(visit, location, stack)
            at += 1
        last = self._close(stack, until - 1, last)
        while len(stack) > 1:
            self._work(stack.pop()[2], end_of_phase - last)
            last = end_of_phase
        self._work(root, end_of_phase - last)
        return at

    def _new(self, construct: tuple[str, int], location: int) -> int:
        self._tasks.append(RecordedTask(construct, location))
        return len(self._tasks) - 1

    def _work(self, task: int, ticks: float) -> None:
        if ticks > 0:
            self._tasks[task].steps.append((WORK, ticks))

    def _close(self, stack: _Stack, moment: int, last: float) -> float:
        """End the tasks that ended before a moment; return up to when work was booked."""
        while len(stack) > 1 and stack[-1][0] <= moment:
            _, busy_end, task, group = stack.pop()
            self._work(task, busy_end - last)
            if group >= 0:
                self._tasks[task].steps.append((WAIT, float(group)))
            last = busy_end
        return last

    def _open(self, visit: _Visit, location: int, stack: _Stack) -> float:
        """Note the begin of a visit; return up to when work is booked."""
        task, place = stack[-1][2], self._run.paths[visit.row]
        if visit.kind == Kind.TASK:
            new = self._new((place.file, place.line), location)
            self._begun.append((visit.begin, location, new))
            stack.append((visit.end, visit.busy_end, new, -1))
        elif visit.kind == Kind.CREATE:
            steps = self._tasks[task].steps
            price = float(visit.end - visit.begin)
            self._created.append((visit.begin, location, task, len(steps), price))
            steps.append((CREATE, float(visit.row)))
            return visit.busy_end
        elif place.kind == "taskgroup":
            stack.append((visit.end, visit.busy_end, task, visit.row))
        else:
            self._tasks[task].steps.append((WAIT, float(visit.row)))
        return visit.busy_begin

    def _match(self) -> bool:
        """Say of which creation each task is, in the order of time; False if a task has none."""
        open_tasks: dict[tuple[tuple[str, int], int], deque[tuple[int, int, float]]] = defaultdict(
            deque
        )
        moments: list[tuple[int, bool, int, int, int, float]] = [
            (when, False, location, task, step, price)
            for when, location, task, step, price in self._created
        ]
        moments += [(when, True, location, task, 0, 0.0) for when, location, task in self._begun]
        for _, is_begin, location, task, step, price in sorted(moments):
            if not is_begin:
                place = self._run.paths[int(self._tasks[task].steps[step][1])]
                open_tasks[(place.file, place.line), location].append((task, step, price))
                continue
            opened = self._pop_created(open_tasks, self._tasks[task].construct, location)
            if opened is None:
                return False
            parent, place_of, price = opened
            self._tasks[task].parent, self._tasks[task].creation = parent, price
            self._tasks[parent].steps[place_of] = (CREATE, float(-1 - task))
        for recorded in self._tasks:
            recorded.steps = [
                (kind, -1 - value if kind == CREATE else value)
                for kind, value in recorded.steps
                if kind != CREATE or value < 0
            ]
        return True

    def _pop_created(
        self,
        open_tasks: dict[tuple[tuple[str, int], int], deque[tuple[int, int, float]]],
        construct: tuple[str, int],
        location: int,
    ) -> tuple[int, int, float] | None:
        own_tasks = open_tasks.get((construct, location))
        if own_tasks:
            return own_tasks.pop()
        for other in range(len(self._run.timelines)):
            other_tasks = open_tasks.get((construct, other))
            if other_tasks:
                return other_tasks.popleft()
        return None

    def _sum_up(self) -> None:
        """Sum the work of each task and those below; a task is behind its parent in `_tasks` only on
        the same location, so parents are found by their begins."""
        for _, _, task in sorted(self._begun, reverse=True):
            recorded = self._tasks[task]
            recorded.inclusive += recorded.work
            parent = self._tasks[recorded.parent]
            parent.inclusive += recorded.inclusive

    def _settle_prices(self) -> None:
        """Give all tasks of a construct its median price of a creation, without the event: single
        creations are interrupted."""
        costs = self._run.records.costs
        event = costs[_CREATION] if len(costs) > _CREATION else 0.0
        prices: dict[tuple[str, int], list[float]] = defaultdict(list)
        for recorded in self._tasks:
            prices[recorded.construct].append(recorded.creation)
        median = {name: max(0.0, float(np.median(every)) - event) for name, every in prices.items()}
        for recorded in self._tasks:
            recorded.creation = median[recorded.construct]


class _Busy:
    """The ticks that a location works, up to a moment."""

    def __init__(self, timeline: LocationTimeline) -> None:
        self._begin = timeline.begin
        ends = (
            np.append(timeline.begin[1:], np.int64(timeline.end))
            if len(timeline.begin)
            else timeline.begin
        )
        self._works = ~np.isin(timeline.activity, _IDLE)
        self._sums: Ticks = np.concatenate(
            [[0.0], np.cumsum((ends - timeline.begin) * self._works)]
        )

    def until(self, moments: Ints) -> Ticks:
        """Return the ticks up to each of some moments."""
        if not len(self._begin):
            return np.zeros(len(moments))
        row = np.searchsorted(self._begin, moments, "right") - 1
        known = np.maximum(row, 0)
        inside = np.where(self._works[known], moments - self._begin[known], 0)
        most = self._sums[known + 1] - self._sums[known]
        return np.where(row < 0, 0.0, self._sums[known] + np.minimum(inside, most))


def _last_of_first(run: Run) -> int:
    """Return the moment after the begin of the last task that is scheduled."""
    begins = [
        timeline.tasks.visits.begin[timeline.tasks.visits.kind == Kind.TASK]
        for timeline in run.timelines
    ]
    every = np.sort(np.concatenate(begins))
    return (
        int(every[task_graph.MOST_TASKS])
        if len(every) > task_graph.MOST_TASKS
        else int(np.iinfo(np.int64).max)
    )


def _dispatch(run: Run) -> float:
    """Return the ticks from a task's end to the next one's begin on a thread that finds one: the
    lower quartile."""
    gaps: list[Ints] = []
    for timeline in run.timelines:
        visits = timeline.tasks.visits
        rows = np.flatnonzero(visits.kind == Kind.TASK)
        begin, end = visits.begin[rows], visits.end[rows]
        gap = begin[1:] - end[:-1]
        gaps.append(gap[gap > 0])
    every = np.concatenate([np.zeros(0, np.int64), *gaps])
    return float(np.quantile(every, 0.25)) if len(every) else 0.0


def columns_of(graph: ReferenceGraph) -> task_graph.TaskGraph:
    """Return the graph as the analysis has it."""
    tasks = graph.tasks
    steps = [step for task in tasks for step in task.steps]
    recorded = task_graph.RecordedTasks(
        np.array([task.thread for task in tasks], np.int32),
        np.array([task.parent for task in tasks], np.int32),
        np.array([task.inclusive for task in tasks]),
        np.array([task.creation for task in tasks]),
        np.cumsum([0, *(len(task.steps) for task in tasks)]),
        np.array([kind for kind, _ in steps], np.uint8),
        np.array([value for _, value in steps], np.float64),
    )
    phases = task_graph.TaskPhases(
        np.array([phase.duration for phase in graph.phases], np.int64),
        np.cumsum([0, *(len(phase.roots) for phase in graph.phases)]),
        np.array([root for phase in graph.phases for root in phase.roots], np.int32),
    )
    return task_graph.TaskGraph(recorded, phases, graph.dispatch, graph.later)
