"""Delay costs: the wait time that each thread causes for others, by extra work or by a wait of its
own.  Instances of delays: the intervals in which a thread made others wait."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pomp_clang.causes.run.instance import Instances, piece_of
from pomp_clang.causes.run.run import Cells, Run, once
from pomp_clang.causes.timeline.columns import is_any, rows_by
from pomp_clang.causes.timeline.location_timeline import LocationTimeline, Numbers, Ticks, sums
from pomp_clang.causes.waits.delay_kernel import (
    DelayCharging,
    Segments,
    drop_segments,
    segments_of,
)
from pomp_clang.causes.waits.thread_waits import waited_for_last
from pomp_clang.shared_dataclass import dataclass
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

    wait_ticks: Ticks
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
    waits = np.zeros(len(run.instances.last))
    for number, instance in enumerate(run.instances.of):
        np.add.at(waits, instance, waited_for_last(run, number).astype(np.float64))
    return waits


def held_up(run: Run) -> Ints:
    """Return the waits for locks that make others wait at the next barrier, as rows of
    `run.contention`."""
    return _computed(run).held_up[0]


def passed_on(run: Run) -> tuple[Ticks, Ticks]:
    """Return two columns of ticks. The first has, for each row of `held_up`, the waits of the other
    threads. The second has, for each barrier instance, the waits that follow from a wait of the last
    arriver for anything but a lock."""
    delays = _computed(run)
    return _passed_on(run, delays.held_up, _DelayShares(waited_at(run), delays.indirect))


@once
def _computed(run: Run) -> _Computed:
    delays = Delays(*(run.cells() for _ in Delays.__slots__))
    total = waited_at(run)
    segments = segments_of(run)
    charging = DelayCharging(run, segments, total)
    charging.book(run.thread, delays.short_term)
    indirect = np.divide(charging.waiting, total, out=charging.waiting, where=total > 0)
    shares, has_indirect = _DelayShares(total, indirect), is_any(indirect > 0)
    for number, (timeline, instance) in enumerate(_meetings(run)):
        ticks = waited_for_last(run, number)
        if has_indirect:
            part = indirect[instance]
            run.add(delays.indirect, number, timeline.arrivals.path, ticks * part)
            ticks = ticks * (1 - part)
        run.add(delays.direct, number, timeline.arrivals.path, ticks)
    lock_delays = _held_up(run, segments, shares)
    _contend(run, lock_delays, shares, delays)
    for cells in (getattr(delays, name) for name in Delays.__slots__):
        cells /= run.second
    return _Computed(delays, indirect, lock_delays)


def _meetings(run: Run) -> Iterator[tuple[LocationTimeline, Ints]]:
    return zip(run.timelines, run.instances.of, strict=True)


def _held_up(run: Run, segments: list[Segments], shares: _DelayShares) -> tuple[Ints, Ints]:
    """Return the rows of `held_up`, and the barrier instance at which each makes others wait."""
    locks = run.contention
    rows = np.flatnonzero(locks.waited > 0)
    instance = _following(run, segments, locks.location[rows], locks.acquired_at(rows))
    known = instance >= 0
    known[known] = run.instances.last_location[instance[known]] == locks.location[rows][known]
    known[known] = shares.indirect[instance[known]] > 0
    return rows[known], instance[known]


def _contend(
    run: Run, lock_delays: tuple[Ints, Ints], shares: _DelayShares, delays: Delays
) -> None:
    """Book waits for a lock at its holder, and the waits that follow from them at the next
    barrier."""
    locks = run.contention
    rows = np.flatnonzero(locks.waited > 0)
    ticks = locks.waited[rows].astype(np.float64)
    np.add.at(delays.contention.reshape(-1), _at_holder(run, rows), ticks)
    np.add.at(delays.direct.reshape(-1), _at_wait(run, rows), ticks)
    rows, _ = lock_delays
    cost, left = _passed_on(run, lock_delays, shares)
    np.add.at(delays.long_term.reshape(-1), _at_holder(run, rows), cost)
    ticks = locks.waited[rows].astype(np.float64)
    np.add.at(delays.propagating.reshape(-1), _at_wait(run, rows), ticks)
    for number, (timeline, instance) in enumerate(_meetings(run) if is_any(left > 0) else ()):
        is_last = run.instances.last_location[instance] == number
        run.add(delays.long_term, number, timeline.arrivals.path[is_last], left[instance[is_last]])


def _passed_on(
    run: Run, lock_delays: tuple[Ints, Ints], shares: _DelayShares
) -> tuple[Ticks, Ticks]:
    rows, instance = lock_delays
    ticks = run.contention.waited[rows]
    wait_sum = sums(instance, ticks, len(shares.wait_ticks))
    cost = shares.wait_ticks[instance] * shares.indirect[instance] * ticks / wait_sum[instance]
    is_lock = np.zeros(len(shares.wait_ticks), np.bool_)
    is_lock[instance] = True
    return cost, np.where(is_lock, 0, shares.wait_ticks * shares.indirect)


def _at_holder(run: Run, rows: Ints) -> Ints:
    """Return the cell (call path and thread) that held the lock, for each wait."""
    path, location = run.contention.holder_at(rows)
    return np.asarray(run.places.rows[path] * len(run.threads) + run.thread[location])


def _at_wait(run: Run, rows: Ints) -> Ints:
    """Return the cell (call path and thread) of each wait."""
    path, location = run.contention.path_at(rows), run.contention.location[rows]
    return np.asarray(run.places.rows[path] * len(run.threads) + run.thread[location])


def _following(run: Run, segments: list[Segments], location: Numbers, time: Ints) -> Ints:
    """Return the barrier instance that each location reaches next, in the team of which it is a
    member at that time; -1 if there is none."""
    following = np.full(len(location), -1)
    for rows, segment in zip(rows_by(location, len(segments)), segments, strict=True):
        if not len(rows):
            continue
        order = np.argsort(segment.until, kind="stable")
        since = np.append(segment.since[order], np.iinfo(np.int64).min)
        after_team = _behind_team(run, segment.instance[order])
        at = np.searchsorted(segment.until[order], time[rows])
        while len(later := np.flatnonzero(since[at] > time[rows])):
            at[later] = after_team[at[later]]
        known = at < len(order)
        following[rows[known]] = segment.instance[order[at[known]]]
    return following


def _behind_team(run: Run, instance: Ints) -> Ints:
    """Return, for each of a location's barriers, the row behind the last barrier of the same
    team."""
    team, place = run.instances.team[instance], np.arange(len(instance))
    last = np.zeros(len(run.teams.number), np.int64)
    np.maximum.at(last, team, place)
    return np.asarray(last[team] + 1)


def short_term(run: Run) -> Iterator[Instances]:
    """Yield the work of last arrivers at a call path, from its begin to its end. Waits that no work
    explains become instances that last while the other threads are at the barrier."""
    thread = np.append(run.thread, 0)[run.instances.last_location]
    first = _first_of(run)
    charging = DelayCharging(run, segments_of(run), waited_at(run))
    drop_segments(run)
    for charge in charging.charges():
        rows = slice(charge.begin, charge.begin + len(charge.rest))
        late, early = run.instances.last[rows], first[rows]
        yield piece_of(run.second, thread[rows], charge.places, early, late, charge.rest)
        last_thread = thread[charge.instance]
        yield piece_of(
            run.second, last_thread, charge.path, charge.since, charge.until, charge.ticks
        )


def long_term(run: Run) -> Iterator[Instances]:
    """Yield the end of each holding of a lock for which the last arriver at a barrier waited. Waits
    for anything else become instances that last while the other threads are at the barrier."""
    cost, left = passed_on(run)
    locks, rows = run.contention, held_up(run)
    held_at, holder = locks.holder_at(rows)
    freed, thread = locks.freed[rows], run.thread[holder]
    yield piece_of(
        run.second, thread, run.places.rows[held_at], freed - locks.waited[rows], freed, cost
    )
    first = _first_of(run)
    for number, (timeline, instance) in enumerate(
        zip(run.timelines, run.instances.of, strict=True)
    ):
        is_last = np.flatnonzero(run.instances.last_location[instance] == number)
        path, met_instance = run.places.rows[timeline.arrivals.path[is_last]], instance[is_last]
        begin, end = first[met_instance], run.instances.last[met_instance]
        yield piece_of(run.second, int(run.thread[number]), path, begin, end, left[met_instance])


def _first_of(run: Run) -> Ints:
    """Return, for each barrier instance, the tick at which its first member arrived."""
    first = np.full(len(run.instances.last), np.iinfo(np.int64).max)
    for timeline, instance in zip(run.timelines, run.instances.of, strict=True):
        np.minimum.at(first, instance, timeline.arrivals.enter)
    return np.asarray(np.minimum(first, run.instances.last))
