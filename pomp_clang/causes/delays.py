"""Whom the waits come from: the work that one had beyond the others, and what made it wait itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.activity import Activity
from pomp_clang.causes.barriers import waited
from pomp_clang.causes.course import Course, Numbers, Ticks, sums
from pomp_clang.causes.run import Cells, Run, once
from pomp_clang.causes.stretches import work
from pomp_clang.trace.model import Ints, Paths

WAITS = (
    Activity.EXPLICIT, Activity.IMPLICIT, Activity.CRITICAL, Activity.LOCK, Activity.ORDERED,
    Activity.TASKWAIT, Activity.OUTSIDE,
)  # fmt: skip
_CELLS = 1 << 15
"""Of a table by instance of a barrier and call path: so many are held at a time."""


@dataclass(frozen=True, slots=True)
class Delays:
    """Seconds that others waited, where and on the thread that it comes from: of barriers for its
    work, and for what it had to wait for itself, which is charged to who held the lock.  `direct`
    to `terminal` are the waits, where they are: of whose work, or waits, they come, and whether
    they make others wait."""

    short_term: Cells
    long_term: Cells
    contention: Cells
    direct: Cells
    indirect: Cells
    propagating: Cells


@dataclass(frozen=True, slots=True)
class _Shares:
    """Of each barrier's instance: ticks waited in all, and the part of that for which who came
    last had waited itself."""

    waited: Ticks
    indirect: Ticks


@dataclass(frozen=True, slots=True)
class Segments:
    """For each course its arrivals by instance, and from when on they were on their own."""

    path: Paths
    instance: Ints
    since: Ints
    until: Ints


@dataclass(frozen=True, slots=True)
class Charge:
    """Of some instances of barriers, the first of which is `begin`: who came `last`, a course, and
    to which call path; `costs` are ticks that others waited, by instance and call path where
    `last` had more work, in the last column of its waits, and `rest` is explained by none."""

    begin: int
    last: Ints
    where: Ints
    costs: npt.NDArray[np.float64]
    rest: Ticks


@dataclass(frozen=True, slots=True)
class _Computed:
    delays: Delays
    waited: Ticks
    indirect: Ticks
    held_up: tuple[Ints, Ints]


def delays_of(run: Run) -> Delays:
    """Seconds, as `run.cells()`: by call path and thread."""
    return _computed(run).delays


def indirect_of(run: Run) -> Ticks:
    """For each instance of a barrier the part of its waits for which who came last had waited."""
    return _computed(run).indirect


def waited_at(run: Run) -> Ticks:
    """For each instance of a barrier the ticks that were waited there."""
    return _computed(run).waited


def held_up(run: Run) -> Ints:
    """Waits for locks for which others wait at the barrier after: rows of `run.contention`."""
    return _computed(run).held_up[0]


def passed_on(run: Run) -> tuple[Ticks, Ticks]:
    """For each of these the ticks that the others wait, and for each instance of a barrier those
    of who came last having waited, but not for a lock."""
    found = _computed(run)
    return _passed_on(run, found.held_up, _Shares(found.waited, found.indirect))


@once
def _computed(run: Run) -> _Computed:
    found = Delays(*(run.cells() for _ in Delays.__slots__))
    last, count = run.instances.last, len(run.instances.last)
    total = np.zeros(count)
    for course, of in _meetings(run):
        total += sums(of, waited(course, of, last), count)
    indirect = np.zeros(count)
    segments = segments_of(run)
    for charge in charged(run, segments, total):
        chunk = slice(charge.begin, charge.begin + len(charge.last))
        by_waits, whole = charge.costs[:, -1], total[chunk]
        indirect[chunk] = np.divide(by_waits, whole, out=np.zeros(len(whole)), where=whole > 0)
        _book(run, charge, found.short_term)
    shares = _Shares(total, indirect)
    for number, (course, of) in enumerate(_meetings(run)):
        ticks = waited(course, of, last)
        found.direct[:] += run.sum(number, course.arrivals.path, ticks * (1 - indirect[of]))
        found.indirect[:] += run.sum(number, course.arrivals.path, ticks * indirect[of])
    held = _held_up(run, segments, shares)
    _contend(run, held, shares, found)
    for cells in (getattr(found, name) for name in Delays.__slots__):
        cells /= run.second
    return _Computed(found, total, indirect, held)


def _meetings(run: Run) -> Iterator[tuple[Course, Ints]]:
    return zip(run.courses, run.instances.of, strict=True)


def segments_of(run: Run) -> list[Segments]:
    """Of each course the work before it came to a barrier, in ticks from its last
    synchronisation on; in the order of the barriers' instances."""
    return [_segments(run, number) for number in range(len(run.courses))]


def _segments(run: Run, number: int) -> Segments:
    """A member is on its own from the barrier of its team before, or the begin of the region."""
    met = run.courses[number].arrivals
    path, instance, until = met.path, run.instances.of[number], met.enter
    since = np.maximum(met.leave, run.instances.last[instance])
    if (instance[1:] < instance[:-1]).any():
        order = np.argsort(instance, kind="stable")
        path, instance, until, since = path[order], instance[order], until[order], since[order]
    team = run.instances.team[instance]
    first = np.flatnonzero(np.append(True, team[1:] != team[:-1])[: len(team)])
    since[1:] = since[:-1]
    since[first] = _begun(run, number, team[first], until[first])
    return Segments(path, instance, since, until)


def _begun(run: Run, number: int, team: Ints, otherwise: Ints) -> Ints:
    """When a course began the region of some teams."""
    members = run.membership
    mine = slice(*np.searchsorted(members.course, [number, number + 1]))
    order = np.argsort(members.team[mine], kind="stable")
    own, body = members.team[mine][order], members.body[mine][order]
    row = np.searchsorted(own, team, "right") - 1
    known = row >= 0
    known[known] = own[row[known]] == team[known]
    return np.where(known, body[row], otherwise) if len(body) else otherwise


def charged(run: Run, segments: list[Segments], total: Ticks) -> Iterator[Charge]:
    """Ticks waited at each barrier, charged to the work of who came last; some barriers at a
    time."""
    size = max(64, _CELLS // (len(run.paths) + 1))
    for begin in range(0, len(total), size):
        yield _charge(run, segments, total, slice(begin, min(len(total), begin + size)))


def _charge(run: Run, segments: list[Segments], total: Ticks, chunk: slice) -> Charge:
    size, paths = chunk.stop - chunk.start, len(run.paths)
    last = run.instances.last_course[chunk]
    everyone = np.zeros((size, paths + 1))
    own = np.zeros((size, paths + 1))
    came = np.zeros(size)
    arrived = np.zeros(size)
    where = np.zeros(size, np.int64)
    for number, each in enumerate(segments):
        rows = slice(*np.searchsorted(each.instance, [chunk.start, chunk.stop]))
        if rows.start == rows.stop:
            continue
        instance = each.instance[rows] - chunk.start
        table = _work(run, number, each, rows, instance, size)
        everyone += table
        mine = last == number
        own[mine] = table[mine]
        came[instance] += 1
        arrived[instance] += each.until[rows] - run.start
        is_last = mine[instance]
        path = run.places.rows[each.path[rows]]
        where[instance[is_last]] = path[is_last]
    others = np.maximum(1, came - 1)
    excess = np.maximum(0, own - (everyone - own) / others[:, None])
    late = run.instances.last[chunk] - run.start
    beyond = late - (arrived - late) / others
    whole = np.maximum(excess.sum(axis=1), np.maximum(beyond, 1))
    costs = excess * (total[chunk] / whole)[:, None]
    rest = np.maximum(0, total[chunk] - costs.sum(axis=1))
    return Charge(chunk.start, last, where, costs, rest)


def _book(run: Run, charge: Charge, short_term: Cells) -> None:
    paths = len(run.paths)
    for number in range(len(run.courses)):
        mine = charge.last == number
        thread = run.thread[number]
        short_term[:, thread] += charge.costs[mine, :paths].sum(axis=0)
        short_term[:, thread] += sums(charge.where[mine], charge.rest[mine], paths)


def _work(
    run: Run, number: int, each: Segments, rows: slice, instance: Ints, size: int
) -> npt.NDArray[np.float64]:
    """Ticks of work by instance and call path; the last column is of waits."""
    course, paths = run.courses[number], len(run.paths)
    begin = np.searchsorted(course.begin, each.since[rows])
    end = np.searchsorted(course.begin, each.until[rows])
    shape = size, paths + 1
    return work(course.line, (begin, end, instance), run.places.rows, shape, WAITS)


def _held_up(run: Run, segments: list[Segments], shares: _Shares) -> tuple[Ints, Ints]:
    """With the instance of that barrier."""
    locks = run.contention
    rows = np.flatnonzero(locks.waited > 0)
    instance = _following(segments, locks.course[rows], locks.got[rows])
    known = instance >= 0
    known[known] = run.instances.last_course[instance[known]] == locks.course[rows][known]
    known[known] = shares.indirect[instance[known]] > 0
    return rows[known], instance[known]


def _contend(run: Run, held: tuple[Ints, Ints], shares: _Shares, found: Delays) -> None:
    """Waits for a lock come from who held it; so do those of others at the barrier after."""
    locks = run.contention
    rows = np.flatnonzero(locks.waited > 0)
    np.add.at(found.contention, _at_holder(run, rows), locks.waited[rows])
    paths = locks.path
    here = run.places.rows[paths[rows]], run.thread[locks.course[rows]]
    np.add.at(found.direct, here, locks.waited[rows])
    rows, _ = held
    cost, left = _passed_on(run, held, shares)
    np.add.at(found.long_term, _at_holder(run, rows), cost)
    here = run.places.rows[paths[rows]], run.thread[locks.course[rows]]
    np.add.at(found.propagating, here, locks.waited[rows])
    for number, (course, of) in enumerate(_meetings(run)):
        mine = run.instances.last_course[of] == number
        found.long_term[:] += run.sum(number, course.arrivals.path[mine], left[of[mine]])


def _passed_on(run: Run, held: tuple[Ints, Ints], shares: _Shares) -> tuple[Ticks, Ticks]:
    rows, instance = held
    ticks = run.contention.waited[rows]
    whole = sums(instance, ticks, len(shares.waited))
    cost = shares.waited[instance] * shares.indirect[instance] * ticks / whole[instance]
    is_lock = np.zeros(len(shares.waited), np.bool_)
    is_lock[instance] = True
    return cost, np.where(is_lock, 0, shares.waited * shares.indirect)


def _at_holder(run: Run, rows: Ints) -> tuple[Ints, Ints]:
    """Where who had the lock had it."""
    locks = run.contention
    place = run.places.rows[locks.path[np.maximum(rows - 1, 0)]]
    return place, run.thread[locks.holder[rows]]


def _following(segments: list[Segments], course: Numbers, time: Ints) -> Ints:
    """The instance of the barrier that a course comes to next."""
    found = np.full(len(course), -1)
    for number, each in enumerate(segments):
        mine = np.flatnonzero(course == number)
        order = np.argsort(each.until, kind="stable")
        at = np.searchsorted(each.until[order], time[mine])
        known = at < len(order)
        found[mine[known]] = each.instance[order[at[known]]]
    return found
