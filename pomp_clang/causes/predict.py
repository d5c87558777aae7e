"""What the program's wall time would gain if an inefficiency were gone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pomp_clang.causes.activity import IN_MPI, Activity
from pomp_clang.causes.barriers import met_by_all, waited
from pomp_clang.causes.course import OF_REGION, Flags, Ticks, over, sums
from pomp_clang.causes.graph import Graph, Point, graph_of, syncs_before
from pomp_clang.causes.idle import idle_of, unused, without
from pomp_clang.causes.joins import joins_of
from pomp_clang.causes.own_cost import net_part, own_cost
from pomp_clang.causes.properties.completion import ExplicitCompletion, net_parts
from pomp_clang.causes.properties.time import Overhead
from pomp_clang.causes.property import Property, Remedy
from pomp_clang.causes.retime import Changed, end_of, tail_of
from pomp_clang.causes.rework import CoursePoints, Doing, scale, spare, spare_doing, summed
from pomp_clang.causes.rows import is_any
from pomp_clang.causes.run import Run, once
from pomp_clang.trace.model import Ints

_PIECE = 1 << 16
"""Rows that are looked at together."""


@dataclass(frozen=True, slots=True)
class Case:
    """An inefficiency at a call path, which is a row in `Run.paths`; `is_here` says of each number
    of a call path in the trace whether it is that."""

    run: Run
    graph: Graph
    kind: type[Property]
    path: int
    is_here: Flags

    def at(self, kind: Point) -> Flags:
        """The points of a kind that are there."""
        found = self.is_here.take(self.graph.path)
        found &= self.graph.kind == kind
        return found


def gain_of(run: Run, kind: type[Property], path: int) -> float | None:
    """Seconds; None where it cannot be told, as of what depends on other processes."""
    if not run.courses or kind.remedy is Remedy.IN_TIME:
        return None
    several = [changed_of(run, kind, path), _dropped(run, kind, path)]
    known = [changed for changed in several if changed is not None]
    if not known:
        return None
    end = min(end_of(run, graph_of(run), changed) for changed in known)
    return max(0.0, _end(run) - end) / run.second


def changed_of(run: Run, kind: type[Property], path: int) -> Changed | None:
    """The trace without an inefficiency at a call path; None where that cannot be told, as of
    waits for other processes, which `mpi.repairs` changes."""
    if kind.remedy not in _CHANGES:
        return None
    return _CHANGES[kind.remedy](_case(run, kind, path), as_it_is(run))


def _case(run: Run, kind: type[Property], path: int) -> Case:
    return Case(run, graph_of(run), kind, path, run.places.rows == path)


def _dropped(run: Run, kind: type[Property], path: int) -> Changed | None:
    """Return the trace in which nobody waits in a barrier, the other remedy for waits there; None
    where the barrier has to stay: it ends a region, or threads run tasks in it.  What it takes to
    leave the barrier stays, too."""
    if kind.remedy is not Remedy.BALANCE:
        return None
    case, same = _case(run, kind, path), as_it_is(run)
    for course in run.courses:
        met = course.arrivals
        has_to_stay = (met.ordinal == OF_REGION) | (met.final > met.enter)
        if is_any(case.is_here[met.path] & has_to_stay):
            return None
    passes = np.flatnonzero(case.at(Point.PASS))
    work = same.work.astype(np.float64)
    work[passes] = same.lag[passes]
    return Changed(work, same.lag, case.at(Point.ARRIVE), same.tail)


@once
def as_it_is(run: Run) -> Changed:
    """The trace unchanged: what predictions are compared with."""
    graph = graph_of(run)
    free = np.zeros(len(graph.kind), np.bool_)
    return Changed(graph.work, graph.lag, free, tail_of(run, graph))


@once
def _end(run: Run) -> float:
    return end_of(run, graph_of(run), as_it_is(run))


def _balanced(case: Case, same: Changed) -> Changed:
    """Members of a team share what they did since their last barrier, and the tasks that they ran
    in this one until all had come.  A member that has too little gets the rest where it comes to
    the barrier, outside of critical sections and locks before that."""
    run, graph = case.run, case.graph
    arrive = np.flatnonzero(case.at(Point.ARRIVE)).astype(np.int32)
    done = _of_tasks(case)
    since, count = syncs_before(run, graph, arrive), np.zeros(len(done), np.int32)
    for some in _pieces(len(arrive)):
        instance = graph.object[arrive[some]] - graph.instances_from
        np.add.at(count, instance, 1)
        np.add.at(done, instance, summed(graph.work, since[some], arrive[some]))
    done /= np.maximum(1, count)
    early = list(_run_early(case))
    changed = _without(case, same, early)
    work, more = changed.work.astype(np.float64), []
    for some in _pieces(len(arrive)):
        rows = arrive[some]
        share = done[graph.object[rows] - graph.instances_from]
        own = summed(graph.work, since[some], rows)
        scale(changed.work, since[some], rows, np.minimum(1, share / np.maximum(own, 1)), work)
        more.append((rows, np.maximum(0, share - own)))
    for rows, rest in more:
        work[rows] += rest
    is_free = changed.is_free | _for_tasks(graph, early)
    return Changed(work, changed.lag, is_free, changed.tail)


def _for_tasks(graph: Graph, pieces: Iterable[_Spared]) -> Flags:
    """Return the points at which waits are over for tasks that were run in pieces of time: whoever
    has as much of these tasks as the others does not wait for them."""
    is_shared = np.zeros(graph.objects + 1, np.bool_)
    for course, since, until, _ in pieces:
        rows = slice(graph.first[course], graph.first[course + 1])
        done = np.flatnonzero(graph.kind[rows] == Point.DONE)
        moment, number = graph.after[rows][done], graph.object[rows][done]
        piece = np.searchsorted(since, moment) - 1
        ran = (piece >= 0) & (moment <= until[piece])
        is_shared[number[ran & (number >= graph.waits_from)]] = True
    found: Flags = graph.kind == Point.WAITED
    found &= is_shared[graph.object]
    return found


def _pieces(count: int) -> Iterator[slice]:
    for first in range(0, count, _PIECE):
        yield slice(first, first + _PIECE)


def _run_early(case: Case) -> Iterator[_Spared]:
    """From when members came to the barrier until all had."""
    last = case.run.instances.last
    for number, (course, of) in enumerate(
        zip(case.run.courses, case.run.instances.of, strict=True)
    ):
        met = course.arrivals
        rows = np.flatnonzero(case.is_here[met.path] & (met.final > met.enter))
        if len(rows):
            until = np.minimum(last[of[rows]], met.final[rows])
            yield _Spared(number, met.enter[rows], until)


def _of_tasks(case: Case) -> Ticks:
    """Of each barrier: ticks that members ran tasks in it until all had come."""
    run, found = case.run, np.zeros(len(case.run.instances.last))
    for course, of in zip(run.courses, run.instances.of, strict=True):
        ticks = run.instances.last[of] - course.arrivals.enter
        ticks -= waited(course, of, run.instances.last)
        here = np.flatnonzero(case.is_here[course.arrivals.path] & (ticks > 0))
        found += sums(of[here], ticks[here], len(found))
    return found


def _divided(case: Case, same: Changed) -> Changed:
    """The tasks that are left when all have come to a barrier keep its members busy alike."""
    run, graph = case.run, case.graph
    last, done = run.instances.last, run.instances.done
    idle, members = np.zeros(len(last)), np.zeros(len(last))
    for course, of in zip(run.courses, run.instances.of, strict=True):
        idle += sums(of, waited(course, of, done, last), len(last))
        members += np.bincount(of, minlength=len(last))
    is_divided = np.zeros(graph.objects + 1, np.bool_)
    is_divided[graph.object[case.at(Point.PASS)]] = True
    is_free = is_divided[graph.object]
    is_free &= (graph.kind == Point.PASS) | (graph.kind == Point.DONE)
    passes = np.flatnonzero(is_free & (graph.kind == Point.PASS))
    instance = graph.object[passes] - graph.instances_from
    lag = same.lag.astype(np.float64)
    left = graph.after[passes] - last[instance] - (idle / np.maximum(1, members))[instance]
    lag[passes] = np.maximum(0, left)
    return Changed(same.work, lag, is_free, same.tail)


def _completed(case: Case, same: Changed) -> Changed:
    """Members leave the barrier when the last of them has come and is done with its tasks."""
    run, graph = case.run, case.graph
    passes = np.flatnonzero(case.at(Point.PASS))
    is_whole = met_by_all(run.instances, run.teams)
    lag = same.lag.astype(np.float64)
    passes = passes[is_whole[graph.object[passes] - graph.instances_from]]
    thread = run.thread[graph.course_of(passes)]
    lag[passes] *= 1 - net_parts(run)[int(case.kind is ExplicitCompletion)][case.path, thread]
    return Changed(same.work, lag, same.is_free, same.tail)


def _stopped(case: Case, same: Changed) -> Changed:
    """Members do no more of a construct from when it is cancelled on."""
    run = case.run
    cancelled = np.full(len(run.instances.last), np.iinfo(np.int64).max)
    for course, of in zip(run.courses, run.instances.of, strict=True):
        met = course.arrivals
        here = np.flatnonzero(met.is_cancelled & case.is_here[met.path])
        np.minimum.at(cancelled, of[here], met.enter[here])
    spared = []
    for number, (course, of) in enumerate(zip(run.courses, run.instances.of, strict=True)):
        met = course.arrivals
        late = np.flatnonzero(met.enter > cancelled[of])
        if len(late):
            spared.append(_Spared(number, cancelled[of[late]], met.enter[late]))
    return _without(case, same, spared)


def _let_in(case: Case, same: Changed) -> Changed:
    return Changed(same.work, same.lag, case.at(Point.GOT), same.tail)


def _shared_out(case: Case, same: Changed) -> Changed:
    """What the main thread does outside teams is shared with all that are idle meanwhile."""
    run = case.run
    since, until = _alone(case)
    idle = float(idle_of(run)[0][case.path].sum()) * run.second
    part = idle / max(1, len(run.threads) * int((until - since).sum()))
    return _without(case, same, [_Spared(run.main, since, until, min(1.0, part))])


def _alone(case: Case) -> tuple[Ints, Ints]:
    """Return when the main thread is there outside teams: from when to when."""
    run = case.run
    course = run.courses[run.main]
    at = np.flatnonzero(case.is_here[course.path])
    since, until = course.begin[at], over(course.begin, at, course.end)
    if case.path == 0:
        first = course.begin[:1] if len(course.begin) else np.array([run.end])
        since, until = np.append(run.start, since), np.append(first, until)
    mine = run.membership.outermost_of(run.main)
    fork, join = run.membership.fork[mine], run.membership.join[mine]
    team = np.searchsorted(fork, since, "right") - 1
    alone = team < 0
    alone[~alone] = since[~alone] >= join[team[~alone]]
    at_all = np.zeros(int(alone.sum()), np.int64)
    joins = joins_of(run)
    since, until, _ = without(since[alone], until[alone], at_all, (joins.begin, joins.end))
    return since, until


class _Spared(NamedTuple):
    """Pieces of a course's time, which follow one another: a part of what it does in them."""

    course: int
    since: Ints
    until: Ints
    part: float = 1.0


def _without(case: Case, same: Changed, spared: Iterable[_Spared]) -> Changed:
    """Waits that lie in these are none."""
    run, graph = case.run, case.graph
    pieces = list(spared)
    if not pieces:
        return same
    work, tail, is_free = same.work.astype(np.float64), same.tail, same.is_free.copy()
    for course, since, until, part in pieces:
        rows = slice(graph.first[course], graph.first[course + 1])
        rest = spare(graph.after[rows], work[rows], run.start, (since, until), part)
        tail -= rest if course == run.main else 0
        is_free[rows] |= _waited(graph, rows, since, until)
    return Changed(work, same.lag, is_free, tail)


def _waited(graph: Graph, rows: slice, since: Ints, until: Ints) -> Flags:
    """The points of a course at which waits are over that lie in pieces of its time."""
    found: Flags = graph.kind[rows] == Point.WAITED
    over = graph.after[rows][found]
    piece = np.searchsorted(since, over)
    found[found] = over <= np.append(np.int64(-1), until)[piece]
    return found


def _widened(case: Case, same: Changed) -> Changed:
    """Those that are idle meanwhile are in the team: each has so much less to do in the region."""
    run, graph = case.run, case.graph
    begins = np.flatnonzero(case.at(Point.BEGIN))
    ends = np.flatnonzero(case.at(Point.ARRIVE))[::-1]
    teams = len(run.teams.number)
    begun, ended = (
        team + graph.course_of(rows) * teams
        for rows, team in (
            (begins, graph.object[begins]),
            (ends, run.instances.team[graph.object[ends] - graph.instances_from]),
        )
    )
    member, first, last = np.intersect1d(begun, ended, return_indices=True)
    took = len(run.threads) * np.maximum(1, run.teams.join - run.teams.fork)
    left = 1 - np.minimum(1, unused(run) / took)
    work = same.work.astype(np.float64)
    scale(same.work, begins[first], ends[last], left[member % teams], work)
    return Changed(work, same.lag, same.is_free, same.tail)


def _skipped(case: Case, same: Changed) -> Changed | None:
    """What threads do for it takes no time."""
    run = case.run
    if not case.kind.activities:
        return _lightened(case, same)
    wanted = np.zeros(256, np.bool_)
    wanted[list(case.kind.activities)] = True
    part = net_part(run, *case.kind.activities)[case.path]
    changed = _without_doing(case, same, wanted, part)
    begins = case.at(Point.BEGIN)
    if wanted[Activity.FORK] and begins.any():
        lag = changed.lag.copy()
        lag[begins] = 0
        changed = Changed(changed.work, lag, changed.is_free, changed.tail)
    if wanted[list(IN_MPI)].any():
        changed = _without_calls(case, changed)
    return changed


def _without_calls(case: Case, changed: Changed) -> Changed:
    """Calls of MPI need nothing, and end when they begin."""
    calls = case.at(Point.GOT) & (case.graph.object >= case.graph.calls_from)
    lag = changed.lag.copy()
    lag[calls] = 0
    return Changed(changed.work, lag, changed.is_free | calls, changed.tail)


def _without_doing(case: Case, same: Changed, wanted: Flags, part: Ticks) -> Changed:
    """What is done here of some activities; the part is each thread's."""
    run, graph, doing = case.run, case.graph, Doing(wanted, case.is_here)
    work, tail, is_free = same.work.astype(np.float64), same.tail, same.is_free.copy()
    if not part.any():
        return same
    for number, course in enumerate(run.courses):
        share = min(1.0, float(part[run.thread[number]]))
        if share <= 0:
            continue
        rows = slice(graph.first[number], graph.first[number + 1])
        points = CoursePoints(graph.after[rows], graph.kind[rows], work[rows], is_free[rows])
        rest = spare_doing(points, run.start, course.line, doing, share)
        tail -= rest if number == run.main else 0
    return Changed(work, same.lag, is_free, tail)


def _lightened(case: Case, same: Changed) -> Changed | None:
    """Take what is a part of activities, mostly of computing, away from all of these alike; waits
    stay waits."""
    run = case.run
    size = case.kind().severity(run)
    if size is None:
        return None
    taken = own_cost(run) if case.kind is Overhead else {Activity.COMPUTE: size}
    work, tail = same.work.astype(np.float64), same.tail
    for activity, cells in taken.items():
        changed = _less_of(case, same, activity, cells[case.path])
        work -= same.work - changed.work
        tail -= same.tail - changed.tail
    return Changed(np.maximum(0, work, out=work), same.lag, same.is_free, tail)


def _less_of(case: Case, same: Changed, activity: Activity, seconds: Ticks) -> Changed:
    """Take seconds of each thread away from what it does of an activity."""
    run = case.run
    took = run.seconds(activity)[case.path]
    part = np.divide(seconds, took, out=np.zeros(len(took)), where=took > 0)
    if case.path == 0:
        own = min(1.0, float(part[run.thread[run.main]]))
        return _without(case, same, [_Spared(run.main, *_alone(case), own)])
    return _without_doing(case, same, np.arange(256) == activity, part)


def _unpredicted(case: Case, same: Changed) -> Changed | None:
    """Return None: how much of the work another part of the machine can take is not known."""
    return None


_CHANGES: dict[Remedy, Callable[[Case, Changed], Changed | None]] = {
    Remedy.BALANCE: _balanced,
    Remedy.DIVIDE: _divided,
    Remedy.COMPLETE: _completed,
    Remedy.STOP: _stopped,
    Remedy.LET_IN: _let_in,
    Remedy.SHARE_OUT: _shared_out,
    Remedy.WIDEN: _widened,
    Remedy.OVERLAP: _unpredicted,
    Remedy.SKIP: _skipped,
    Remedy.IN_TIME: _let_in,
}
