"""When each property's severity arose: its instances, one by one, as columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.activity import Activity, are
from pomp_clang.causes.barriers import completed, met_by_all, waited
from pomp_clang.causes.course import over, within
from pomp_clang.causes.critical import path_of
from pomp_clang.causes.delayers import long_term, short_term
from pomp_clang.causes.delays import held_up, indirect_of
from pomp_clang.causes.distinct import rows_by
from pomp_clang.causes.idle import busy_of, serial_of
from pomp_clang.causes.joins import joins_of
from pomp_clang.causes.line import parts_of as lines_in_parts
from pomp_clang.causes.mpi.count import Count
from pomp_clang.causes.mpi.instances import between, counting, in_state
from pomp_clang.causes.occurrence import Occurrences, in_pieces, joined, piece_of
from pomp_clang.causes.overlap import overlaps
from pomp_clang.causes.own_cost import net_part, own_cost
from pomp_clang.causes.places import in_target
from pomp_clang.causes.properties import (
    cancellation,
    completion,
    critical_path,
    delay,
    imbalance,
    mpi,
    mpi_counts,
    openmp,
    targets,
    threads,
    time,
)
from pomp_clang.causes.property import Property
from pomp_clang.causes.registry import severity_of
from pomp_clang.causes.run import Cells, Run, once
from pomp_clang.trace.model import Ints

_NEVER = np.iinfo(np.int64).max


_Pieces = Callable[[Run], Iterator[Occurrences]]


def occurrences_of(kind: type[Property], run: Run, among: Iterable[type[Property]]) -> Occurrences:
    """Sums up to the property's severity, where that has a place in time.  What is the sum of
    its parts has those of its parts, which are `among` the properties."""
    among = list(among)
    parts = parts_of(kind, among, run)
    return joined((*pieces_of(kind, run), *(occurrences_of(each, run, among) for each in parts)))


def pieces_of(kind: type[Property], run: Run) -> Iterator[Occurrences]:
    """The instances of a property that is not the sum of its parts, some at a time."""
    if kind in _TABLE:
        yield from _TABLE[kind](run)
    elif kind.activities:
        pieces = _stretches(run, kind.activities)
        part = net_part(run, *kind.activities)
        yield from _scaled(pieces, part) if (part < 1).any() else pieces


def are_counted(kind: type[Property]) -> bool:
    """Whether how many there are, and how long, says something of the property: not of parts of
    what is known for a place and a thread as a whole, nor of pieces of a path."""
    return kind not in _SHARES and kind not in _OF_PATH


def parts_of(
    kind: type[Property], among: Iterable[type[Property]], run: Run
) -> list[type[Property]]:
    """Of what these are the instances of the parts: the parts."""
    if kind in _TABLE or kind.activities:
        return []
    parts = [each for each in among if each.parent is kind]
    return parts if parts and severity_of(kind, run) is None else []


def _stretches(run: Run, activities: tuple[Activity, ...]) -> Iterator[Occurrences]:
    """What threads do it at all."""
    is_there = np.any(run.spent[:, :, list(activities)], axis=(1, 2))
    for thread in np.flatnonzero(is_there).tolist():
        for line in lines_in_parts(run, thread):
            at = np.flatnonzero(are(line.activity, *activities))
            begin, end = line.begin[at], over(line.begin, at, line.end)
            yield piece_of(run, thread, line.path[at], begin, end, end - begin)


def _scaled(pieces: Iterator[Occurrences], part: Cells) -> Iterator[Occurrences]:
    """Yield instances with a part of their severity, which is that of their call path and thread."""
    for each in pieces:
        severity = each.severity * part[each.path, each.thread]
        yield replace(each, severity=severity).take(np.flatnonzero(severity > 0))


def _waits(is_explicit: bool, for_tasks: bool, after_cancel: bool = False) -> _Pieces:
    """At barriers until the last one has come, or from then until its tasks are done."""

    def pieces(run: Run) -> Iterator[Occurrences]:
        last, done = run.instances.last, run.instances.done
        for row, (course, of) in enumerate(zip(run.courses, run.instances.of, strict=True)):
            met = course.arrivals
            ticks = waited(course, of, done, last) if for_tasks else waited(course, of, last)
            is_one = (met.is_explicit == is_explicit) & (ticks > 0)
            if after_cancel:
                is_one &= met.is_cancelled
            for some in in_pieces(np.flatnonzero(is_one)):
                enter, took, which = met.enter[some], ticks[some], of[some]
                begin = np.maximum(enter, last[which]) if for_tasks else enter
                end = done[which] if for_tasks else last[which]
                # Time may have gone by since it entered in which it ran tasks.
                end = np.minimum(np.maximum(end, begin + took), np.maximum(met.leave[some], begin))
                path = run.places.rows[met.path[some]]
                yield piece_of(run, int(run.thread[row]), path, begin, end, took)

    return pieces


def _completions(is_explicit: bool) -> _Pieces:
    """Yield what threads take out of barriers to which all have come, up to when they leave."""

    def gross(run: Run) -> Iterator[Occurrences]:
        is_whole = met_by_all(run.instances, run.teams)
        for row, (course, of) in enumerate(zip(run.courses, run.instances.of, strict=True)):
            met, ticks = course.arrivals, completed(course, of, run.instances, is_whole)
            for some in in_pieces(np.flatnonzero((met.is_explicit == is_explicit) & (ticks > 0))):
                end, path = met.leave[some], run.places.rows[met.path[some]]
                yield piece_of(run, int(run.thread[row]), path, end - ticks[some], end, ticks[some])

    def pieces(run: Run) -> Iterator[Occurrences]:
        return _scaled(gross(run), completion.net_parts(run)[int(is_explicit)])

    return pieces


def _contention(is_critical: bool) -> _Pieces:
    def pieces(run: Run) -> Iterator[Occurrences]:
        rows = _waited_for(run)
        yield from _for_locks(run, rows[(rows < run.contention.criticals) == is_critical])

    return pieces


def _of_another(is_wait: bool) -> _Pieces:
    """Waits at barriers as far as they are for another's wait, or for its work; these with all
    that are for a lock."""

    def pieces(run: Run) -> Iterator[Occurrences]:
        indirect, last = indirect_of(run), run.instances.last
        for row, (course, of) in enumerate(zip(run.courses, run.instances.of, strict=True)):
            met, ticks = course.arrivals, waited(course, of, last)
            for some in in_pieces(np.flatnonzero(ticks > 0)):
                which, begin = of[some], met.enter[some]
                part = indirect[which] if is_wait else 1 - indirect[which]
                path, end = run.places.rows[met.path[some]], np.maximum(begin, last[which])
                yield piece_of(run, int(run.thread[row]), path, begin, end, ticks[some] * part)
        if not is_wait:
            yield from _for_locks(run, _waited_for(run))

    return pieces


def _propagating(run: Run) -> Iterator[Occurrences]:
    yield from _for_locks(run, held_up(run))


def _terminal(run: Run) -> Iterator[Occurrences]:
    for is_explicit in (False, True):
        yield from _waits(is_explicit, for_tasks=False)(run)
    rows = _waited_for(run)
    makes_wait = np.zeros(len(run.contention.waited), np.bool_)
    makes_wait[held_up(run)] = True
    yield from _for_locks(run, rows[~makes_wait[rows]])


def _waited_for(run: Run) -> Ints:
    """Rows of the run's `contention`."""
    return np.flatnonzero(run.contention.waited > 0)


def _for_locks(run: Run, rows: Ints) -> Iterator[Occurrences]:
    locks = run.contention
    for some in in_pieces(rows):
        path, thread = run.places.rows[locks.path_at(some)], run.thread[locks.course[some]]
        asked, ticks = locks.asked_at(some), locks.waited[some]
        yield piece_of(run, thread, path, asked, asked + ticks, ticks)


def _idle(run: Run) -> Iterator[Occurrences]:
    yield from _serial(run)
    yield from _limited(run)


def _serial(run: Run) -> Iterator[Occurrences]:
    """Each stretch of the main thread outside teams, on the other threads."""
    for thread in _others(run):
        yield from _not_busy(run, thread, *serial_of(run))


def _in_targets(run: Run) -> Iterator[Occurrences]:
    """Yield each interval in which a thread of the host is in a target construct."""
    part = net_part(run, Activity.COMPUTE) * in_target(run.paths)[:, None]
    yield from _scaled(_computing(run), part)


def _during_target(run: Run) -> Iterator[Occurrences]:
    """Yield each interval of the main thread in a target construct outside teams, on the other
    threads."""
    since, until, path = serial_of(run)
    here = in_target(run.paths)[path]
    for thread in _others(run):
        yield from _not_busy(run, thread, since[here], until[here], path[here])


def _limited(run: Run) -> Iterator[Occurrences]:
    """Each team of the main thread's, on the threads that are not in it all the time."""
    members = run.membership
    mine = members.outermost_of(run.main)
    path = run.places.rows[members.path[mine]]
    for thread in _others(run):
        yield from _not_busy(run, thread, members.fork[mine], members.join[mine], path)


def _beside(run: Run) -> Iterator[Occurrences]:
    """Each wait of the main thread for threads that the program made, on those that are idle."""
    joins = joins_of(run)
    for thread in _others(run):
        yield from _not_busy(run, thread, joins.begin, joins.end, joins.path)


def _not_busy(run: Run, thread: int, since: Ints, until: Ints, path: Ints) -> Iterator[Occurrences]:
    came, left = busy_of(run, thread)
    for some in in_pieces(np.arange(len(since))):
        begin, end = since[some], until[some]
        here = slice(
            np.searchsorted(left, begin[0], "right"), np.searchsorted(came, end.max(), "left")
        )
        ticks = end - begin - within(came[here], left[here], begin, end)
        yield piece_of(run, thread, path[some], begin, end, ticks)


def _others(run: Run) -> list[int]:
    if not run.courses:
        return []
    return [thread for thread in range(len(run.threads)) if thread != run.thread[run.main]]


def _critical(run: Run) -> Iterator[Occurrences]:
    """What threads do while they are on the critical path."""
    part = path_of(run)
    pieces = rows_by(run.thread[part.course], len(run.threads))
    for thread, rows in enumerate(pieces):
        mine, otherwise = rows[::-1], _first_path(run, thread)
        since, until = part.begin[mine], part.end[mine]
        for line in lines_in_parts(run, thread):
            here = slice(
                np.searchsorted(until, line.begin[0], "right"),
                np.searchsorted(since, line.end, "left"),
            )
            cut = overlaps((since[here], until[here]), (line.begin, line.ends))
            path = line.path[cut.other]
            path[line.activity[cut.other] == Activity.OUTSIDE] = otherwise
            yield piece_of(run, thread, path, cut.begin, cut.end, cut.end - cut.begin)


def _first_path(run: Run, thread: int) -> int:
    own = run.as_worker(thread)
    return int(run.places.rows[run.membership.path[own[0]]]) if len(own) else 0


def _impact(run: Run) -> Iterator[Occurrences]:
    for each in _critical(run):
        yield replace(each, severity=each.severity * run.everyone)


@dataclass(frozen=True, slots=True)
class _Tally:
    """What instances have in all, a row for each call path and a column for each thread; and from
    when to when there are any at a call path."""

    took: npt.NDArray[np.float64]
    since: Ints
    until: Ints


@dataclass(frozen=True, slots=True)
class _Source:
    """Instances that have something in common, which several properties share among them."""

    pieces: _Pieces
    tally: Callable[[Run], _Tally]


def _source(pieces: _Pieces) -> _Source:
    def tally(run: Run) -> _Tally:
        took = run.cells()
        since, until = np.full(len(run.paths), _NEVER), np.full(len(run.paths), -_NEVER)
        for each in pieces(run):
            np.add.at(took.reshape(-1), _cell(run, each), each.severity)
            np.minimum.at(since, each.path, each.begin)
            np.maximum.at(until, each.path, each.end)
        return _Tally(took, since, until)

    return _Source(pieces, once(tally))


def _cell(run: Run, some: Occurrences) -> Ints:
    return np.asarray(some.path * np.int64(len(run.threads)) + some.thread)


def _shared(kind: type[Property], source: _Source) -> _Pieces:
    """What is known for a place and a thread as a whole, by the time of each of its instances; on
    a thread that has none, as one, while others are there."""

    def pieces(run: Run) -> Iterator[Occurrences]:
        cells = kind().severity(run)
        wanted = cells if cells is not None else run.cells()
        tally = source.tally(run)
        is_any = tally.took > 0
        part = np.divide(wanted, tally.took, out=run.cells(), where=is_any).reshape(-1)
        for each in source.pieces(run) if (part > 0).any() else ():
            severity = each.severity * part[_cell(run, each)]
            rows = np.flatnonzero(severity > 0)
            yield replace(each, severity=severity).take(rows)
        yield _while_others(run, tally, np.where(is_any, 0, wanted))

    return pieces


def _while_others(run: Run, tally: _Tally, rest: npt.NDArray[np.float64]) -> Occurrences:
    path, thread = np.nonzero((rest > 0) & (tally.since < tally.until)[:, None])
    return Occurrences(thread, path, tally.since[path], tally.until[path], rest[path, thread])


def _each_alike(run: Run) -> Iterator[Occurrences]:
    """However long, as is what visits take."""
    for each in _stretches(run, tuple(own_cost(run))) if own_cost(run) else ():
        yield replace(each, severity=np.ones(len(each.severity)))


def _meetings(run: Run) -> Iterator[Occurrences]:
    """Barriers, from coming to leaving, and locks, from being asked for to being got."""
    for row, course in enumerate(run.courses):
        thread, met, got = int(run.thread[row]), course.arrivals, course.got
        for path, begin, end in ((met.path, met.enter, met.leave), (got.path, got.asked, got.got)):
            for some in in_pieces(np.arange(len(path))):
                where, since = run.places.rows[path[some]], begin[some]
                at = np.broadcast_to(np.asarray(thread), since.shape)
                once = np.ones(len(some))
                yield Occurrences(at, where, since, np.maximum(since, end[some]), once)


def _all(*several: _Pieces) -> _Pieces:
    def pieces(run: Run) -> Iterator[Occurrences]:
        for each in several:
            yield from each(run)

    return pieces


def _computing(run: Run) -> Iterator[Occurrences]:
    return _stretches(run, (Activity.COMPUTE,))


def _held(run: Run) -> Iterator[Occurrences]:
    """Locks and criticals while others wait for them, at who has them."""
    locks = run.contention
    rows = np.flatnonzero(locks.waited > 0)
    path, course = locks.holder_at(rows)
    ticks, freed = locks.waited[rows], locks.freed[rows]
    yield piece_of(run, run.thread[course], run.places.rows[path], freed - ticks, freed, ticks)


def _alone(run: Run) -> Iterator[Occurrences]:
    """What the main thread does while others are idle."""
    for each in _idle(run):
        yield replace(each, thread=np.full(len(each.thread), run.thread[run.main]))


_COMPUTED, _ALIKE, _ON_PATH = _source(_computing), _source(_each_alike), _source(_critical)

_SHARES: dict[type[Property], _Source] = {
    time.Overhead: _ALIKE,
    imbalance.Overload: _COMPUTED,
    imbalance.SingleParticipant: _COMPUTED,
    imbalance.Underload: _COMPUTED,
    imbalance.NonParticipation: _COMPUTED,
    imbalance.Singularity: _COMPUTED,
    critical_path.CriticalImbalance: _ON_PATH,
    critical_path.ImbalanceImpact: _ON_PATH,
}
"""What is known for a place and a thread as a whole, and by whose time it is told."""

_OF_PATH = frozenset((critical_path.CriticalPath, critical_path.PerformanceImpact))

_TABLE: dict[type[Property], _Pieces] = {
    **{kind: _shared(kind, of) for kind, of in _SHARES.items()},
    time.Synchronizations: _all(_meetings, counting(Count.SYNCHRONIZATIONS)),
    openmp.ExplicitWait: _waits(is_explicit=True, for_tasks=False),
    openmp.ExplicitUnfinished: _waits(is_explicit=True, for_tasks=True),
    completion.ExplicitCompletion: _completions(is_explicit=True),
    completion.ImplicitCompletion: _completions(is_explicit=False),
    openmp.ImplicitWait: _waits(is_explicit=False, for_tasks=False),
    cancellation.CancelWait: _waits(is_explicit=False, for_tasks=False, after_cancel=True),
    openmp.ImplicitUnfinished: _waits(is_explicit=False, for_tasks=True),
    openmp.CriticalContention: _contention(is_critical=True),
    openmp.LockContention: _contention(is_critical=False),
    threads.IdleThreads: _idle,
    threads.LimitedParallelism: _limited,
    threads.IdleBesideOthers: _beside,
    targets.Target: _in_targets,
    targets.IdleDuringTarget: _during_target,
    critical_path.CriticalPath: _critical,
    critical_path.PerformanceImpact: _impact,
    delay.ShortTerm: short_term,
    delay.LongTerm: long_term,
    delay.ContentionDelay: _held,
    delay.IdlenessDelay: _alone,
    delay.MpiShortTerm: between("short_term"),
    delay.MpiLongTerm: between("long_term"),
    delay.Direct: _all(_of_another(is_wait=False), between("direct")),
    delay.Indirect: _all(_of_another(is_wait=True), between("indirect")),
    delay.Propagating: _all(_propagating, between("propagating")),
    delay.Terminal: _all(_terminal, between("terminal")),
    **{kind: in_state(kind.state) for kind in mpi.WAITING},
    **{kind: counting(*kind.counts) for kind in mpi_counts.PROPERTIES},
}
"""Others are what threads do, or have no place in time."""
