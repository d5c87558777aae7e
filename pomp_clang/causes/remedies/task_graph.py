"""The recorded tasks of a barrier: the work of each, and what each created and waited for.

A task is one row, the implicit tasks of the team's threads first. Tasks are tied: a task stays on
its thread from its begin to its end. The trace does not say which creation a task is of. Its thread
takes the newest own one of its construct, else the oldest of the others, as runtimes do.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.remedies.task_kernel import (
    CREATE,
    WAIT,
    WORK,
    FollowedTasks,
    VisitTimes,
    add_work_below,
    creations_of,
    followed,
)
from pomp_clang.causes.run.run import Run, once
from pomp_clang.causes.timeline.activity import BARRIERS, Activity
from pomp_clang.causes.timeline.columns import lower_quartile, median
from pomp_clang.causes.timeline.location_timeline import LocationTimeline, Numbers, Ticks, sums
from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace.layout import Enter, Kind
from pomp_clang.trace.model import Ints, Ops

MOST_TASKS = 30_000
"""Tasks that are scheduled: the first ones of a run, which stand for the others."""

_ALWAYS = np.iinfo(np.int64).max

_IDLE = (
    *BARRIERS, Activity.TASKWAIT, Activity.CREATE, Activity.FORK, Activity.JOIN, Activity.OUTSIDE,
)  # fmt: skip
_CREATION = 11
"""The place of `EventCosts.creation` among the recorded costs."""


@dataclass(frozen=True, slots=True)
class RecordedTasks:
    """A row for each task. The steps of a task are the rows from its `first` to the next one's:
    pairs of a kind and a value, WORK and ticks, CREATE and a task, WAIT and the call path (row of
    the run's) of the wait. `parent` is -1 for implicit tasks, and `thread` the location. `inclusive`
    is the work of it and all tasks below, `creation` the ticks to create it."""

    thread: Numbers
    parent: Numbers
    inclusive: Ticks
    creation: Ticks
    first: Ints
    kind: Ops
    value: Ticks

    @property
    def explicit(self) -> Ints:
        """The rows of the explicit tasks."""
        return np.flatnonzero(self.parent >= 0)


@dataclass(frozen=True, slots=True)
class TaskPhases:
    """What teams do until barriers that have explicit tasks. `roots` are the implicit tasks, of a
    phase from its `first` to the next one's, and `ticks` the ticks from its begin until all have
    left the barrier."""

    ticks: Ints
    first: Ints
    roots: Numbers


@dataclass(frozen=True, slots=True)
class TaskGraph:
    """The first tasks of a run, and the phases that have explicit ones. `dispatch` is the ticks to
    get a task, `later` those of further phases with tasks that are not among `phases`."""

    tasks: RecordedTasks
    phases: TaskPhases
    dispatch: float
    later: float = 0.0


@once
def task_graph_of(run: Run) -> TaskGraph | None:
    """Build the graph; None if there are no tasks, tasks that moved, or nested teams."""
    visits = [timeline.tasks.visits for timeline in run.timelines]
    runs = sum(int((visit.kind == Kind.TASK).sum()) for visit in visits)
    moved = any((visit.how & Enter.RESUMES).any() for visit in visits)
    if not runs or moved or not run.membership.outermost.all():
        return None
    until = _last_of_first(run)
    located = [_LocationPhases(run, location) for location in range(len(run.timelines))]
    follow = [_followed(run, phases, until) for phases in located]
    tasks = _tasks_of(run, [tasks for tasks, _ in follow])
    if tasks is None:
        return None
    phases, later = _phases_of(run, located, follow, until)
    return TaskGraph(tasks, phases, _dispatch(run), later)


class _LocationPhases:
    """The phases of a location, in the order in which it left their barriers: the `instance` of the
    barrier, from `since` to `until`, and the number of explicit `tasks`."""

    def __init__(self, run: Run, location: int) -> None:
        self.location = location
        timeline = run.timelines[location]
        arrivals, visits = timeline.arrivals, timeline.tasks.visits
        order = np.argsort(arrivals.leave, kind="stable")
        self.instance = run.instances.of[location][order]
        self.until = arrivals.leave[order]
        self.since = np.append(np.int64(0), self.until)[: len(self.until)]
        members, body = run.membership.of(location), np.zeros(len(run.teams.number), np.int64)
        body[run.membership.team[members]] = run.membership.body[members]
        np.maximum(self.since, body[run.instances.team[self.instance]], out=self.since)
        before = np.append(0, np.cumsum(visits.kind == Kind.TASK))
        first, following = (visits.begin.searchsorted(at) for at in (self.since, self.until))
        self.tasks = np.maximum(0, before[following] - before[first])


_Followed = tuple[FollowedTasks, Ints]
"""The tasks of a location, and the rows of the phases that they are of."""


def _followed(run: Run, phases: _LocationPhases, until: int) -> _Followed:
    """Follow a location through its phases up to a moment."""
    timeline = run.timelines[phases.location]
    visits = timeline.tasks.visits
    number = int(np.searchsorted(visits.begin, until))
    ends = np.minimum(phases.until, until)
    rows = np.flatnonzero(phases.since < ends)
    since, ends = phases.since[rows], ends[rows]
    begin, end = visits.begin[:number], visits.end[:number]
    most = max((int(column.max()) for column in (end, ends) if len(column)), default=0)
    busy = _Busy(timeline, most)
    of = followed(
        VisitTimes(since, ends, busy.until(since), busy.until(ends)),
        VisitTimes(begin, end, busy.until(begin), busy.until(end)),
        visits.kind[:number],
        visits.path[:number],
        np.array([place.kind == "taskgroup" for place in run.paths], np.bool_)[run.places.rows],
    )
    return of, rows


def _tasks_of(run: Run, located: list[FollowedTasks]) -> RecordedTasks | None:
    """Return the tasks of all locations, each as the child of the task that created it; None if a
    task was created by none."""
    tasks = np.cumsum([0, *(len(of.path) for of in located)])
    steps = np.cumsum([0, *(len(of.kind) for of in located)])
    kind, value = _joined([of.kind for of in located]), _joined([of.value for of in located])
    task = _joined([first + of.task for first, of in zip(tasks[:-1], located, strict=True)])
    path = _joined([of.path for of in located])
    thread = np.repeat(np.arange(len(located), dtype=np.int32), np.diff(tasks))
    constructs = np.append(_constructs(run), 0)
    construct = constructs[path]
    created = _joined(
        [first + of.created_step for first, of in zip(steps[:-1], located, strict=True)]
    )
    explicit = np.flatnonzero(path >= 0)
    moment = _joined([*(of.created for of in located), *(of.begin for of in located)])
    moment = np.concatenate([moment[: len(created)], moment[len(created) :][explicit]])
    is_begin = np.repeat([False, True], [len(created), len(explicit)])
    of_task, of_step = (
        np.append(task[created], explicit),
        np.append(created, np.zeros_like(explicit)),
    )
    location = np.append(thread[task[created]], thread[explicit])
    event_construct = np.append(constructs[value[created].astype(np.int64)], construct[explicit])
    order = np.lexsort((of_step, of_task, location, is_begin, moment))
    creation = creations_of(is_begin[order], event_construct[order], location[order], len(located))
    begins = np.flatnonzero(is_begin[order])
    if (creation[begins] < 0).any():
        return None
    children, creations = of_task[order[begins]], order[creation[begins]]
    parent = np.full(tasks[-1], -1, np.int32)
    parent[children] = of_task[creations]
    price = np.zeros(tasks[-1])
    price[children] = _joined([of.price for of in located])[creations]
    child = np.full(len(kind), -1, np.int64)
    child[of_step[creations]] = children
    work, inclusive = sums(task, np.where(kind == WORK, value, 0.0), tasks[-1]), np.zeros(tasks[-1])
    add_work_below(children[::-1], parent, work, inclusive)
    value = np.where(kind == CREATE, child, value)
    is_wait = kind == WAIT
    value[is_wait] = run.places.rows[value[is_wait].astype(np.int64)]
    kept = np.flatnonzero((kind != CREATE) | (child >= 0))
    kept = kept[np.argsort(task[kept], kind="stable")]
    first = np.append(0, np.cumsum(np.bincount(task[kept], minlength=tasks[-1])))
    return RecordedTasks(
        thread, parent, inclusive, _settled(run, construct, price), first, kind[kept], value[kept]
    )


def _joined(columns: list[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    return np.concatenate(columns)


def _constructs(run: Run) -> Numbers:
    """Return a number for the construct of each call path, as the trace numbers these; 0 stands for
    none."""
    numbers = {("", 0): 0}
    constructs = [numbers.setdefault((place.file, place.line), len(numbers)) for place in run.paths]
    return np.array(constructs, np.int32)[run.places.rows]


def _settled(run: Run, construct: Numbers, price: Ticks) -> Ticks:
    """Return the price of each task's creation: the median of its construct, without the event.
    Single creations are interrupted."""
    costs = run.records.costs
    event = costs[_CREATION] if len(costs) > _CREATION else 0.0
    settled = np.zeros(len(price))
    for number in np.flatnonzero(np.bincount(construct)).tolist():
        rows = np.flatnonzero(construct == number)
        settled[rows] = max(0.0, median(price[rows]) - event)
    return settled


def _phases_of(
    run: Run, located: list[_LocationPhases], follow: list[_Followed], moment: int
) -> tuple[TaskPhases, float]:
    """Return the phases with tasks that began before a moment, in the order in which the locations
    were followed, and the ticks of those that began later."""
    count = len(run.instances.last)
    begin, end = np.full(count, _ALWAYS), np.full(count, -1, np.int64)
    tasks = np.zeros(count, np.int64)
    for phases in located:
        np.minimum.at(begin, phases.instance, phases.since)
        np.maximum.at(end, phases.instance, phases.until)
        np.add.at(tasks, phases.instance, phases.tasks)
    instance = _joined([phases.instance for phases in located])
    first_visit = np.full(count, _ALWAYS)
    first_visit[instance[::-1]] = np.arange(len(instance))[::-1]
    ticks = np.maximum(0, end - begin)
    is_later = begin >= moment
    later = float(ticks[(tasks > 0) & is_later].sum())
    known = np.flatnonzero((tasks > 0) & ~is_later)
    known = known[np.argsort(first_visit[known])]
    roots, of_instance, before = [], [], 0
    for phases, (of, rows) in zip(located, follow, strict=True):
        roots.append(before + np.flatnonzero(of.path < 0))
        of_instance.append(phases.instance[rows])
        before += len(of.path)
    row = np.full(count, -1, np.int64)
    row[known] = np.arange(len(known))
    at, root = row[_joined(of_instance)], _joined(roots)
    root = root[np.argsort(at, kind="stable")][int((at < 0).sum()) :]
    first = np.append(0, np.cumsum(np.bincount(at[at >= 0], minlength=len(known))))
    return TaskPhases(ticks[known], first, root.astype(np.int32)), later


class _Busy:
    """The ticks that a location works, up to any moment until `most`."""

    def __init__(self, timeline: LocationTimeline, most: int) -> None:
        number = int(np.searchsorted(timeline.begin, most, "right"))
        self._begin = timeline.begin[:number]
        following = timeline.begin[number] if number < len(timeline.begin) else timeline.end
        ends = np.append(self._begin[1:], np.int64(following))[:number]
        is_idle = np.zeros(256, np.bool_)
        is_idle[[*_IDLE]] = True
        self._works = ~is_idle[timeline.activity[:number]]
        self._sums: Ticks = np.concatenate([[0.0], np.cumsum((ends - self._begin) * self._works)])

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
    every = np.concatenate(begins)
    if len(every) <= MOST_TASKS:
        return int(_ALWAYS)
    return int(np.partition(every, MOST_TASKS)[MOST_TASKS])


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
    return lower_quartile(every) if len(every) else 0.0
