"""A trace -> what properties are computed on: sums and meetings of all threads, as columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.activity import ACTIVITIES, WORDS, Activity, classes_of
from pomp_clang.causes.attempts import as_waits
from pomp_clang.causes.barriers import Instances, instances_of, settled
from pomp_clang.causes.cancelled import at_the_end, cancellable, with_their_barriers
from pomp_clang.causes.contention import Contention, contention_of
from pomp_clang.causes.course import Course, Flags, Ticks, outside_from, sums, within
from pomp_clang.causes.earlier import on_their_own
from pomp_clang.causes.follow import course_of
from pomp_clang.causes.places import Place, Places, Thread, places_of
from pomp_clang.causes.rows import where
from pomp_clang.causes.teams import Membership, Teams, end_waits, one_by_one, teams_of
from pomp_clang.experiment.layout import STATE_ENDED
from pomp_clang.experiment.reader import open_until
from pomp_clang.experiment.records import Records
from pomp_clang.trace.layout import Type
from pomp_clang.trace.model import Ints, Trace
from pomp_clang.trace.parts import parts_of
from pomp_clang.trace.replay import Moments, Values
from pomp_clang.trace.tell import tell

if TYPE_CHECKING:
    from pomp_clang.causes.graph import Rows
    from pomp_clang.causes.mpi.count import Count
    from pomp_clang.causes.mpi.share import Share
    from pomp_clang.causes.occurrence import Occurrences
    from pomp_clang.causes.tally import Tally

Cells = npt.NDArray[np.float64]
"""A severity: by call path and thread, their rows in `Run.paths` and `Run.threads`."""

Progress = Callable[[str, float], None]


class Peers(Protocol):
    """The processes of a job, of which a run is one."""

    @property
    def threads(self) -> int:
        """How many all of them have."""

    def total(self, run: Run, compute: Callable[[Run], Cells]) -> Cells:
        """A column: what is computed of each of them, over all threads, at the paths of one."""

    def critical(self, run: Run) -> tuple[Ints, Ints, Ints]:
        """The pieces of the job's critical path that are on a run's courses, the last one first:
        course, begin and end."""

    def points(self, run: Run) -> tuple[list[list[Rows]], int]:
        """Where one waits in MPI for others, for the job's graph, of each course; and how many
        objects these have."""

    def delays(self, run: Run) -> Between:
        """Those between the processes."""

    def rank(self, run: Run) -> int:
        """As the cube numbers it."""

    def seconds(self, run: Run, ticks: Ints) -> npt.NDArray[np.float64]:
        """Moments of a run, from the job's begin."""

    def caller(self, call: int) -> tuple[int, int, int, float]:
        """The rank, thread, call path (that of the cube) and begin in seconds of a call of the
        job's."""

    def placed(self, run: Run, tally: Tally) -> Tally:
        """That of a run at the rows of the job's cube."""

    def delaying(self, run: Run, what: str) -> Occurrences:
        """The same one by one: of a part of `Between`, or `terminal`."""


class Between(Protocol):
    """Seconds that others waited: `causes.delays.Delays` has the same of a process's threads."""

    @property
    def short_term(self) -> Cells: ...

    @property
    def long_term(self) -> Cells: ...

    @property
    def direct(self) -> Cells: ...

    @property
    def indirect(self) -> Cells: ...

    @property
    def propagating(self) -> Cells: ...


def silent(_: str, __: float) -> None:
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Ticks are those of the trace, `second` of them are one; `start` and `end` are the program's.

    `courses` are the locations, `thread` has for each its row in `threads`; `worker` and `main`
    tell those that OpenMP made and the one that the program began with.  `spent` is ticks by
    thread, call path and `Activity`, `serial` those of the main thread outside teams.  `mpi` is
    what it did with the other processes of its job, its `peers`; None for one of its own.
    """

    records: Records
    places: Places
    second: int
    start: int
    end: int
    courses: tuple[Course, ...]
    values: tuple[Values, ...]
    thread: Ints
    is_worker: Flags
    main: int
    spent: Ticks
    serial: Ticks
    visits: Ints
    teams: Teams
    membership: Membership
    instances: Instances
    contention: Contention
    mpi: Share | None = None
    peers: Peers | None = None
    memo: dict[Any, Any] = field(default_factory=dict, repr=False)

    @property
    def duration(self) -> float:
        return (self.end - self.start) / self.second

    @property
    def complete(self) -> bool:
        """False where the program ended early: it was killed, or crashed."""
        return self.records.header.state == STATE_ENDED

    @property
    def paths(self) -> tuple[Place, ...]:
        return self.places.paths

    @property
    def threads(self) -> tuple[Thread, ...]:
        return self.places.threads

    def as_worker(self, thread: int) -> Ints:
        """Rows of the membership in which a thread is not the master."""
        rows = [
            self.membership.worker_of(int(row)) for row in np.flatnonzero(self.thread == thread)
        ]
        return np.concatenate([np.zeros(0, np.int64), *rows])

    def cells(self) -> Cells:
        """A severity that is 0 everywhere."""
        return np.zeros((len(self.paths), len(self.threads)))

    @property
    def everyone(self) -> int:
        """How many threads there are, of all processes of the job."""
        return self.peers.threads if self.peers else len(self.threads)

    def over_all(self, compute: Callable[[Run], Cells]) -> Cells:
        """A column: what is computed of a run by call path and thread, over all threads."""
        if self.peers is not None:
            return self.peers.total(self, compute)
        return np.asarray(compute(self).sum(axis=1, keepdims=True))

    def seconds(self, *activities: Activity) -> Cells:
        """What threads took for some activities."""
        is_done = _done(self)
        done = [int(each) for each in activities if is_done[each]]
        if not done:
            return self.cells()
        if len(done) == 1:
            return np.asarray(self.spent[:, :, done[0]].T / self.second)
        return np.asarray(self.spent[:, :, done].sum(axis=2).T / self.second)

    def told(self) -> Cells:
        """The values that the program told of its variables, summed up where it told them."""
        found = self.cells()
        for row, values in enumerate(self.values):
            told = values.value.astype(np.float64)
            unsigned = values.type == Type.UNSIGNED
            told[unsigned] = values.value[unsigned].view(np.uint64)
            real = values.type == Type.REAL
            told[real] = values.value[real].view(np.float64)
            self.add(found, row, values.path, told)
        return found

    def sum(self, course: Ints, path: npt.NDArray[Any], amount: npt.NDArray[Any]) -> Cells:
        """Amounts summed up by call path, as the trace numbers them, and by their courses' threads."""
        row = self.places.rows[path] * len(self.threads) + self.thread[course]
        shape = len(self.paths), len(self.threads)
        found = sums(row, amount, shape[0] * shape[1])
        return found.reshape(shape)

    def add(self, to: Cells, course: int, path: npt.NDArray[Any], amount: npt.NDArray[Any]) -> None:
        """The same of one course, to what is there already."""
        rows = self.places.rows[path]
        to[:, self.thread[course]] += sums(rows, amount, len(self.paths))

    def of_calls(self, calls: Ints, amount: npt.NDArray[Any]) -> Cells:
        """Amounts of some of the process's calls of MPI, at their call paths."""
        if self.mpi is None:
            return self.cells()
        return self.sum(self.course_of_calls()[calls], self.mpi.own.path[calls], amount)

    def course_of_calls(self) -> Ints:
        """Of each of the process's calls of MPI."""
        if self.mpi is None:
            return np.zeros(0, np.int64)
        numbers = np.array([each.location for each in self.courses], np.int64)
        order = np.argsort(numbers)
        rows: Ints = order[np.searchsorted(numbers[order], self.mpi.own.location)]
        return rows

    def counted(self, *counts: Count) -> Cells:
        """What MPI's calls count for."""
        found = self.cells()
        for amount in (self.mpi.counts[each] for each in counts) if self.mpi else ():
            calls = np.flatnonzero(amount)
            found += self.of_calls(calls, amount[calls].astype(np.float64))
        return found


T = TypeVar("T")


def once(compute: Callable[[Run], T]) -> Callable[[Run], T]:
    """What several properties of a run want is computed for the first of them."""

    def known(run: Run) -> T:
        if compute not in run.memo:
            run.memo[compute] = compute(run)
        found: T = run.memo[compute]
        return found

    return known


@once
def _done(run: Run) -> list[bool]:
    """Of each activity, whether anybody did it."""
    return [bool(each) for each in np.any(run.spent, axis=(0, 1))]


def gather(trace: Trace, progress: Progress = silent, mpi: Share | None = None) -> Run:
    """Reads the trace, one location in memory at a time.

    Raises ExperimentError where a stream cannot be read.
    """
    places = places_of(trace.records)
    if mpi is not None:
        places = mpi.own.placed(places)
    numbers = mpi.own.paths if mpi is not None else max(trace.records.paths, default=0) + 1
    classes = classes_of(_kinds(places, numbers))
    is_cancellable = cancellable(trace.records, len(classes))
    spent = np.zeros((len(places.threads), len(places.paths), ACTIVITIES))
    courses: list[Course] = []
    values: list[Values] = []
    joined: list[Moments] = []
    assembled: list[Moments] = []
    expected = max(1, len(trace.records.locations))
    for parts in parts_of(trace):
        progress("reading", len(courses) / expected)
        told = tell(parts, trace, WORDS, classes)
        until = open_until(trace.records, parts.location, trace.end)
        told = at_the_end(on_their_own(told, until), until, trace.end, is_cancellable)
        told = with_their_barriers(told, is_cancellable)
        told = as_waits(told, until, trace.records.header.ticks_per_second)
        course = outside_from(course_of(told, classes, until, trace.end), trace.end)
        courses.append(_spent(places, course if mpi is None else mpi.own.inserted(course), spent))
        values.append(told.values)
        joined.append(told.joined)
        assembled.append(told.assembled)
        del parts, told, course
    progress("matching", 0)
    matched = teams_of(courses, joined, assembled)
    courses = settled(courses, instances_of(courses, matched[0]), is_cancellable)
    return _matched(trace, places, courses, values, spent, matched, mpi)


def _spent(places: Places, course: Course, spent: Ticks) -> Course:
    """The course whose ticks are booked as its thread's, and not kept twice."""
    mine = spent[places.numbers[course.location]]
    rows = places.rows[: len(course.ticks)]
    moved = (rows - np.arange(len(rows))) * ACTIVITIES
    cells = np.arange(course.ticks.size) + moved.repeat(ACTIVITIES)
    mine += sums(cells, course.ticks.reshape(-1), mine.size).reshape(mine.shape)
    return replace(course, ticks=course.ticks.sum(axis=0, keepdims=True))


def _kinds(places: Places, numbers: int) -> list[str]:
    """Of the regions of call paths, as the trace numbers them."""
    kinds = [places.paths[row].kind if row else "" for row in places.rows[:numbers].tolist()]
    return kinds + [""] * (numbers - len(kinds))


def _matched(
    trace: Trace,
    places: Places,
    courses: list[Course],
    values: list[Values],
    spent: Ticks,
    matched: tuple[Teams, Membership],
    mpi: Share | None,
) -> Run:
    records = trace.records
    teams, membership = matched
    thread = np.array([places.numbers[each.location] for each in courses], np.int64)
    level = [records.locations[each.location].level for each in courses]
    is_worker = np.array([each > 0 for each in level], np.bool_)
    is_worker[membership.course[~membership.is_master]] = True
    initial = [row for row, each in enumerate(level) if each <= 0]
    main = min(initial, key=lambda row: courses[row].location, default=0)
    visits = np.zeros((len(places.paths), len(places.threads)), np.int64)
    for row, each in enumerate(courses):
        to = places.rows[: len(each.visits)]
        visits[:, thread[row]] += sums(to, each.visits, len(visits)).astype(np.int64)
    serial = np.zeros(len(places.paths))
    if courses:
        own = courses[main].serial
        serial = sums(places.rows[: len(own)], own, len(serial))
    membership = one_by_one(membership, thread)
    for row, each in enumerate(courses):
        end_waits(each, teams, membership, row)
    run = Run(
        records=records,
        places=places,
        second=records.header.ticks_per_second,
        start=records.header.start,
        end=trace.end,
        courses=tuple(courses),
        values=tuple(values),
        thread=thread,
        is_worker=is_worker,
        main=main,
        spent=spent,
        serial=serial,
        visits=visits,
        teams=teams,
        membership=membership,
        instances=instances_of(courses, teams),
        contention=contention_of(courses),
        mpi=mpi,
    )
    _complete(run)
    return run


def _complete(run: Run) -> None:
    """Books what no event of the thread's own tells: how it came into teams and out of them, and
    what was outside all regions."""
    for row, course in enumerate(run.courses):
        _book_teams(run, row)
        outside = run.spent[run.thread[row], 0]
        if run.is_worker[row]:
            continue
        first = int(course.begin[0]) if len(course.begin) else run.end
        outside[Activity.COMPUTE] += course.ticks[:, Activity.OUTSIDE].sum()
        if row == run.main:
            outside[Activity.COMPUTE] += max(0, first - run.start)
            run.serial[0] += max(0, first - run.start)
        else:
            outside[Activity.COMPUTE] -= max(0, run.end - last_of(run, row))
    run.spent[:, :, Activity.OUTSIDE] = 0


def last_of(run: Run, row: int) -> int:
    """When a thread that the program made itself did its last, as far as is known."""
    course = run.courses[row]
    if not len(course.begin) or course.activity[-1] != Activity.OUTSIDE:
        return run.end
    told = run.records.locations[course.location].last
    return int(min(run.end, max(told, int(course.begin[-1]))))


def _own_of(run: Run, thread: int) -> tuple[Ints, Ints]:
    """What a thread did outside all teams, with all who had its role one after the other."""
    loose = [run.courses[row].loose for row in where(run.thread == thread)]
    if len(loose) == 1:
        begin, end = loose[0]
    else:
        begin, end = (np.concatenate(each) for each in zip(*loose, strict=True))
    if not len(begin):
        return begin, end
    order = np.argsort(begin, kind="stable")
    return begin[order], end[order]


def _book_teams(run: Run, row: int) -> None:
    """A worker was on its way from its master's fork on, and is not back before the join."""
    members, course = run.membership, run.courses[row]
    rows = members.worker_of(row)
    to = run.places.rows[members.path[rows]]
    spent = run.spent[run.thread[row]]
    own = _own_of(run, int(run.thread[row]))
    for activity, since, until in (
        (Activity.FORK, members.fork[rows], members.begin[rows]),
        (Activity.JOIN, members.leave[rows], members.join[rows]),
    ):
        spent[:, activity] += sums(to, until - since - within(*own, since, until), len(spent))
    told = where(course.waits.arrival >= course.departed)
    if not len(told):
        return
    waited = course.waits.end[told] - course.waits.begin[told]
    to = run.places.rows[course.arrivals.path[course.waits.arrival[told]]]
    booked = sums(to, waited, len(spent))
    spent[:, Activity.IMPLICIT] += booked
    spent[:, Activity.JOIN] -= booked
