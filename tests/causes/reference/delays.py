"""Causes of waits: the work that a thread had beyond the others since they last met, and its own
waits."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from tests.causes.reference.during import during
from tests.causes.reference.frames import HeldLock
from tests.causes.reference.holding import contention, holder_of
from tests.causes.reference.meeting import Arrival, Meeting, is_met, over
from tests.causes.reference.program import Chain
from tests.causes.reference.reference_run import ReferenceRun
from tests.causes.reference.states import StateInterval, has_left

Cells = dict[tuple[Chain, int], float]

_WAITS = {"Explicit", "Implicit", "Critical", "Lock API", "Ordered", "Taskwait"}
_WAITED = None
"""Key of the waits, beside the call paths of work."""


def _cells() -> Cells:
    return defaultdict(float)


@dataclass
class Delays:
    """Ticks by call path and thread."""

    short_term: Cells = field(default_factory=_cells)
    long_term: Cells = field(default_factory=_cells)
    contention: Cells = field(default_factory=_cells)
    direct: Cells = field(default_factory=_cells)
    indirect: Cells = field(default_factory=_cells)
    propagating: Cells = field(default_factory=_cells)


def delays_of(reference: ReferenceRun) -> Delays:
    delays = Delays()
    passed_on = _passed_on(reference)
    for lock in reference.locks:
        if ticks := contention(lock, reference.releases):
            delays.contention[_at_holder(reference, lock)] += ticks
            delays.direct[_key(reference, lock.path, lock.location)] += ticks
    for meeting in reference.meetings:
        if not all(is_met(arrival) for arrival in meeting.arrivals):
            continue
        wait_ticks = [
            over(arrival.waiting, arrival.begin, meeting.last) for arrival in meeting.arrivals
        ]
        costs = _costs(reference, meeting, sum(wait_ticks))
        of_waits = costs.pop(_WAITED, 0.0)
        indirect = of_waits / sum(wait_ticks) if sum(wait_ticks) else 0.0
        for arrived, ticks in zip(meeting.arrivals, wait_ticks, strict=True):
            arrival_key = _key(reference, arrived.path, arrived.location)
            delays.direct[arrival_key] += ticks * (1 - indirect)
            delays.indirect[arrival_key] += ticks * indirect
        last = meeting.last_arrival
        assert last is not None
        last_key = _key(reference, last.path, last.location)
        for chain, size in costs.items():
            assert chain is not None
            delays.short_term[chain, last_key[1]] += size
        delays.short_term[last_key] += max(0.0, sum(wait_ticks) - of_waits - sum(costs.values()))
        if not of_waits:
            continue
        locks = passed_on[id(last)]
        for lock, ticks in locks:
            delays.propagating[_key(reference, lock.path, lock.location)] += ticks
            part = ticks / sum(size for _, size in locks)
            delays.long_term[_at_holder(reference, lock)] += of_waits * part
        if not locks:
            delays.long_term[last_key] += of_waits
    return delays


def _key(reference: ReferenceRun, path: int, location: int) -> tuple[Chain, int]:
    return reference.program.chains[path], reference.thread[location]


def _at_holder(reference: ReferenceRun, lock: HeldLock) -> tuple[Chain, int]:
    """Return the call path and thread at which the holder had got the lock."""
    freed, holder = holder_of(lock, reference.releases)
    had = [
        (held.acquired, False, held.path)
        for held in reference.locks
        if (held.lock, held.location) == (lock.lock, holder) and held.acquired <= freed
    ]
    given_up = [
        (at, True, 0) for at, who in reference.releases[lock.lock] if who == holder and at < freed
    ]
    open_: list[int] = []
    for _, is_over, path in sorted(had + given_up):
        if is_over:
            open_.pop()
        else:
            open_.append(path)
    return _key(reference, open_[-1], holder)


def _costs(reference: ReferenceRun, meeting: Meeting, wait_ticks: int) -> dict[Chain | None, float]:
    """Return the costs of a wait by the work and waits that the last thread had beyond the others'
    mean.

    The costs are no more than the time by which that thread came later than the others.
    """
    others = [arrival for arrival in meeting.arrivals if arrival is not meeting.last_arrival]
    assert meeting.last_arrival is not None
    if not others or not wait_ticks:
        return {}
    last_work = _work(reference, meeting.last_arrival)
    mean_work: dict[Chain | None, float] = defaultdict(float)
    for other in others:
        for chain, ticks in _work(reference, other).items():
            mean_work[chain] += ticks / len(others)
    excess = {
        what: ticks - mean_work[what]
        for what, ticks in last_work.items()
        if ticks > mean_work[what]
    }
    late = meeting.last - sum(other.begin for other in others) / len(others)
    whole_of_it = max(sum(excess.values()), late)
    return {what: wait_ticks * ticks / whole_of_it for what, ticks in excess.items()}


def _work(reference: ReferenceRun, arrival: Arrival) -> dict[Chain | None, int]:
    """Return the work since the last barrier in this team, or since the begin of the region."""
    since = alone_since(reference, arrival)
    result: dict[Chain | None, int] = defaultdict(int)
    result[_WAITED] = arrival.begin - since
    tid = reference.thread[arrival.location]
    for interval, ticks in during(reference.intervals[tid], since, arrival.begin):
        if not _is_wait(interval):
            result[reference.program.chains[interval.path]] += ticks
            result[_WAITED] -= ticks
    return result


def _is_wait(interval: StateInterval) -> bool:
    return interval.state in _WAITS or has_left(interval)


def alone_since(reference: ReferenceRun, arrival: Arrival) -> int:
    assert arrival.region is not None
    before = [
        max(other.leave, other.meeting.last)
        for other in reference.arrivals_in[id(arrival.region)]
        if other.meeting is not None and is_met(other) and other.begin < arrival.begin
    ]
    return max([arrival.region.begin, *before])


def _passed_on(reference: ReferenceRun) -> dict[int, list[tuple[HeldLock, int]]]:
    """Return, by arrival, the waits for locks after which the waiting thread came to that barrier
    next.

    Only barriers of the thread's own team count.
    """
    result: dict[int, list[tuple[HeldLock, int]]] = defaultdict(list)
    for lock in reference.locks:
        ticks = contention(lock, reference.releases)
        coming = [
            arrival
            for arrival in (reference.arrivals if ticks else ())
            if arrival.location == lock.location
            and is_met(arrival)
            and alone_since(reference, arrival) <= lock.acquired <= arrival.begin
        ]
        if coming:
            result[id(min(coming, key=lambda item: item.begin))].append((lock, ticks))
    return result
