"""Whom the waits come from: the work that one had beyond the others, and what made it wait itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pomp_clang.causes.barriers import waited
from pomp_clang.causes.charge import Charge, Segments, charged, segments_of
from pomp_clang.causes.course import Course, Numbers, Ticks, sums
from pomp_clang.causes.distinct import rows_by
from pomp_clang.causes.run import Cells, Run, once
from pomp_clang.trace.model import Ints


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
class _Computed:
    delays: Delays
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
    last = run.instances.last
    found = np.zeros(len(last))
    for course, of in _meetings(run):
        np.add.at(found, of, waited(course, of, last))
    return found


def held_up(run: Run) -> Ints:
    """Waits for locks for which others wait at the barrier after: rows of `run.contention`."""
    return _computed(run).held_up[0]


def passed_on(run: Run) -> tuple[Ticks, Ticks]:
    """For each of these the ticks that the others wait, and for each instance of a barrier those
    of who came last having waited, but not for a lock."""
    found = _computed(run)
    return _passed_on(run, found.held_up, _Shares(waited_at(run), found.indirect))


@once
def _computed(run: Run) -> _Computed:
    found = Delays(*(run.cells() for _ in Delays.__slots__))
    last, total = run.instances.last, waited_at(run)
    indirect = np.zeros(len(last))
    segments = segments_of(run)
    for charge in charged(run, segments, total):
        chunk = slice(charge.begin, charge.begin + len(charge.rest))
        np.divide(charge.waiting, total[chunk], out=indirect[chunk], where=total[chunk] > 0)
        _book(run, charge, found.short_term)
    shares = _Shares(total, indirect)
    for number, (course, of) in enumerate(_meetings(run)):
        ticks = waited(course, of, last)
        run.add(found.direct, number, course.arrivals.path, ticks * (1 - indirect[of]))
        run.add(found.indirect, number, course.arrivals.path, ticks * indirect[of])
    held = _held_up(run, segments, shares)
    _contend(run, held, shares, found)
    for cells in (getattr(found, name) for name in Delays.__slots__):
        cells /= run.second
    return _Computed(found, indirect, held)


def _meetings(run: Run) -> Iterator[tuple[Course, Ints]]:
    return zip(run.courses, run.instances.of, strict=True)


def _book(run: Run, charge: Charge, short_term: Cells) -> None:
    """Work at its call path, and what nothing explains at the barrier's, of who came last."""
    threads, last = len(run.threads), run.instances.last_course
    cells = short_term.reshape(-1)
    np.add.at(cells, charge.path * threads + run.thread[last[charge.instance]], charge.ticks)
    some = np.flatnonzero(charge.rest)
    where = charge.where[some] * threads + run.thread[last[charge.begin + some]]
    np.add.at(cells, where, charge.rest[some])


def _held_up(run: Run, segments: list[Segments], shares: _Shares) -> tuple[Ints, Ints]:
    """With the instance of that barrier."""
    locks = run.contention
    rows = np.flatnonzero(locks.waited > 0)
    instance = _following(run, segments, locks.course[rows], locks.got[rows])
    known = instance >= 0
    known[known] = run.instances.last_course[instance[known]] == locks.course[rows][known]
    known[known] = shares.indirect[instance[known]] > 0
    return rows[known], instance[known]


def _contend(run: Run, held: tuple[Ints, Ints], shares: _Shares, found: Delays) -> None:
    """Waits for a lock come from who held it; so do those of others at the barrier after."""
    locks = run.contention
    rows = np.flatnonzero(locks.waited > 0)
    np.add.at(found.contention, _at_holder(run, rows), locks.waited[rows])
    here = run.places.rows[locks.path_at(rows)], run.thread[locks.course[rows]]
    np.add.at(found.direct, here, locks.waited[rows])
    rows, _ = held
    cost, left = _passed_on(run, held, shares)
    np.add.at(found.long_term, _at_holder(run, rows), cost)
    here = run.places.rows[locks.path_at(rows)], run.thread[locks.course[rows]]
    np.add.at(found.propagating, here, locks.waited[rows])
    for number, (course, of) in enumerate(_meetings(run)):
        mine = run.instances.last_course[of] == number
        run.add(found.long_term, number, course.arrivals.path[mine], left[of[mine]])


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
    path, course = run.contention.holder_at(rows)
    return run.places.rows[path], run.thread[course]


def _following(run: Run, segments: list[Segments], course: Numbers, time: Ints) -> Ints:
    """The instance of the barrier that a course comes to next, in the team that it is in then."""
    found = np.full(len(course), -1)
    for mine, each in zip(rows_by(course, len(segments)), segments, strict=True):
        order = np.argsort(each.until, kind="stable")
        since = np.append(each.since[order], np.iinfo(np.int64).min)
        behind = _behind_team(run, each.instance[order])
        at = np.searchsorted(each.until[order], time[mine])
        while len(later := np.flatnonzero(since[at] > time[mine])):
            at[later] = behind[at[later]]
        known = at < len(order)
        found[mine[known]] = each.instance[order[at[known]]]
    return found


def _behind_team(run: Run, instance: Ints) -> Ints:
    """Of barriers that a course comes to: where the first is that it comes to when it has done with
    the team of each."""
    team, place = run.instances.team[instance], np.arange(len(instance))
    last = np.zeros(len(run.teams.number), np.int64)
    np.maximum.at(last, team, place)
    return np.asarray(last[team] + 1)
