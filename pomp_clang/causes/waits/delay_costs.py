"""Delay costs: the wait time that each thread causes for others, by extra work or by a wait of its
own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pomp_clang.causes.run.run import Cells, Run, once
from pomp_clang.causes.timeline.barriers import waited
from pomp_clang.causes.timeline.location_timeline import LocationTimeline, Numbers, Ticks, sums
from pomp_clang.causes.timeline.unique import rows_by
from pomp_clang.causes.waits.delay_kernel import DelayCharge, Segments, charged, segments_of
from pomp_clang.trace.model import Ints


@dataclass(frozen=True, slots=True)
class Delays:
    """Seconds that threads wait, as `run.cells()`. `short_term`, `long_term` and `contention` are
    booked where the delay arises: at the work of the last arriver, or at the holder of the lock for
    which it waited. `direct` to `terminal` are booked at the waits themselves: caused by work,
    caused by a wait, and whether the wait makes other threads wait."""

    short_term: Cells
    long_term: Cells
    contention: Cells
    direct: Cells
    indirect: Cells
    propagating: Cells


@dataclass(frozen=True, slots=True)
class _DelayShares:
    """For each barrier instance, the ticks waited in total, and the share of them that is due to a
    wait of the last arriver."""

    waited: Ticks
    indirect: Ticks


@dataclass(frozen=True, slots=True)
class _Computed:
    delays: Delays
    indirect: Ticks
    held_up: tuple[Ints, Ints]


def delays_of(run: Run) -> Delays:
    """Return the delays between the threads of a run, in seconds by call path and thread."""
    return _computed(run).delays


def indirect_of(run: Run) -> Ticks:
    """Return, for each barrier instance, the share of its waits that is due to a wait of the last
    arriver."""
    return _computed(run).indirect


def waited_at(run: Run) -> Ticks:
    """Return, for each barrier instance, the ticks that its members waited."""
    last = run.instances.last
    waits = np.zeros(len(last))
    for timeline, of in _meetings(run):
        np.add.at(waits, of, waited(timeline, of, last))
    return waits


def held_up(run: Run) -> Ints:
    """Return the waits for locks that make others wait at the next barrier, as rows of
    `run.contention`."""
    return _computed(run).held_up[0]


def passed_on(run: Run) -> tuple[Ticks, Ticks]:
    """Return two columns of ticks: for each row of `held_up`, the waits of the other threads; and
    for each barrier instance, the waits that are due to a wait of the last arriver other than for a
    lock."""
    delays = _computed(run)
    return _passed_on(run, delays.held_up, _DelayShares(waited_at(run), delays.indirect))


@once
def _computed(run: Run) -> _Computed:
    delays = Delays(*(run.cells() for _ in Delays.__slots__))
    last, total = run.instances.last, waited_at(run)
    indirect = np.zeros(len(last))
    segments = segments_of(run)
    for charge in charged(run, segments, total):
        chunk = slice(charge.begin, charge.begin + len(charge.rest))
        np.divide(charge.waiting, total[chunk], out=indirect[chunk], where=total[chunk] > 0)
        _book(run, charge, delays.short_term)
    shares = _DelayShares(total, indirect)
    for number, (timeline, of) in enumerate(_meetings(run)):
        ticks = waited(timeline, of, last)
        run.add(delays.direct, number, timeline.arrivals.path, ticks * (1 - indirect[of]))
        run.add(delays.indirect, number, timeline.arrivals.path, ticks * indirect[of])
    held = _held_up(run, segments, shares)
    _contend(run, held, shares, delays)
    for cells in (getattr(delays, name) for name in Delays.__slots__):
        cells /= run.second
    return _Computed(delays, indirect, held)


def _meetings(run: Run) -> Iterator[tuple[LocationTimeline, Ints]]:
    return zip(run.timelines, run.instances.of, strict=True)


def _book(run: Run, charge: DelayCharge, short_term: Cells) -> None:
    """Book the last arrivers' extra work at its call path, and the unexplained rest at the
    barrier's."""
    threads, last = len(run.threads), run.instances.last_location
    cells = short_term.reshape(-1)
    np.add.at(cells, charge.path * threads + run.thread[last[charge.instance]], charge.ticks)
    some = np.flatnonzero(charge.rest)
    where = charge.where[some] * threads + run.thread[last[charge.begin + some]]
    np.add.at(cells, where, charge.rest[some])


def _held_up(run: Run, segments: list[Segments], shares: _DelayShares) -> tuple[Ints, Ints]:
    """Return the rows of `held_up`, and the barrier instance at which each makes others wait."""
    locks = run.contention
    rows = np.flatnonzero(locks.waited > 0)
    instance = _following(run, segments, locks.location[rows], locks.got_at(rows))
    known = instance >= 0
    known[known] = run.instances.last_location[instance[known]] == locks.location[rows][known]
    known[known] = shares.indirect[instance[known]] > 0
    return rows[known], instance[known]


def _contend(run: Run, held: tuple[Ints, Ints], shares: _DelayShares, delays: Delays) -> None:
    """Book waits for a lock at its holder, and the waits that follow from them at the next
    barrier."""
    locks = run.contention
    rows = np.flatnonzero(locks.waited > 0)
    np.add.at(delays.contention, _at_holder(run, rows), locks.waited[rows])
    cells = run.places.rows[locks.path_at(rows)], run.thread[locks.location[rows]]
    np.add.at(delays.direct, cells, locks.waited[rows])
    rows, _ = held
    cost, left = _passed_on(run, held, shares)
    np.add.at(delays.long_term, _at_holder(run, rows), cost)
    cells = run.places.rows[locks.path_at(rows)], run.thread[locks.location[rows]]
    np.add.at(delays.propagating, cells, locks.waited[rows])
    for number, (timeline, of) in enumerate(_meetings(run)):
        mine = run.instances.last_location[of] == number
        run.add(delays.long_term, number, timeline.arrivals.path[mine], left[of[mine]])


def _passed_on(run: Run, held: tuple[Ints, Ints], shares: _DelayShares) -> tuple[Ticks, Ticks]:
    rows, instance = held
    ticks = run.contention.waited[rows]
    waited = sums(instance, ticks, len(shares.waited))
    cost = shares.waited[instance] * shares.indirect[instance] * ticks / waited[instance]
    is_lock = np.zeros(len(shares.waited), np.bool_)
    is_lock[instance] = True
    return cost, np.where(is_lock, 0, shares.waited * shares.indirect)


def _at_holder(run: Run, rows: Ints) -> tuple[Ints, Ints]:
    """Return the call path and the thread that held the lock, for each wait."""
    path, location = run.contention.holder_at(rows)
    return run.places.rows[path], run.thread[location]


def _following(run: Run, segments: list[Segments], location: Numbers, time: Ints) -> Ints:
    """Return the barrier instance that each location reaches next, in the team of which it is a
    member at that time; -1 if there is none."""
    following = np.full(len(location), -1)
    for mine, segment in zip(rows_by(location, len(segments)), segments, strict=True):
        order = np.argsort(segment.until, kind="stable")
        since = np.append(segment.since[order], np.iinfo(np.int64).min)
        behind = _behind_team(run, segment.instance[order])
        at = np.searchsorted(segment.until[order], time[mine])
        while len(later := np.flatnonzero(since[at] > time[mine])):
            at[later] = behind[at[later]]
        known = at < len(order)
        following[mine[known]] = segment.instance[order[at[known]]]
    return following


def _behind_team(run: Run, instance: Ints) -> Ints:
    """Return, for each of a location's barriers, the row behind the last barrier of the same
    team."""
    team, place = run.instances.team[instance], np.arange(len(instance))
    last = np.zeros(len(run.teams.number), np.int64)
    np.maximum.at(last, team, place)
    return np.asarray(last[team] + 1)
