"""Causes of waits: the work that a thread had beyond the others since they last met, and its own
waits."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from tests.causes.reference.during import during
from tests.causes.reference.frames import Held
from tests.causes.reference.holding import contention, holder_of
from tests.causes.reference.meeting import Arrival, Meeting, is_met, over
from tests.causes.reference.program import Chain
from tests.causes.reference.reference_run import ReferenceRun
from tests.causes.reference.states import Stretch, has_left

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
    for held in reference.held:
        if ticks := contention(held, reference.given):
            delays.contention[_at_holder(reference, held)] += ticks
            delays.direct[_key(reference, held.path, held.location)] += ticks
    for meeting in reference.meetings:
        if not all(is_met(arrival) for arrival in meeting.arrivals):
            continue
        waited = [
            over(arrival.waiting, arrival.begin, meeting.last) for arrival in meeting.arrivals
        ]
        costs = _costs(reference, meeting, sum(waited))
        of_waits = costs.pop(_WAITED, 0.0)
        indirect = of_waits / sum(waited) if sum(waited) else 0.0
        for each, ticks in zip(meeting.arrivals, waited, strict=True):
            here = _key(reference, each.path, each.location)
            delays.direct[here] += ticks * (1 - indirect)
            delays.indirect[here] += ticks * indirect
        who = meeting.who
        assert who is not None
        there = _key(reference, who.path, who.location)
        for chain, size in costs.items():
            assert chain is not None
            delays.short_term[chain, there[1]] += size
        delays.short_term[there] += max(0.0, sum(waited) - of_waits - sum(costs.values()))
        if not of_waits:
            continue
        locks = passed_on[id(who)]
        for held, ticks in locks:
            delays.propagating[_key(reference, held.path, held.location)] += ticks
            part = ticks / sum(size for _, size in locks)
            delays.long_term[_at_holder(reference, held)] += of_waits * part
        if not locks:
            delays.long_term[there] += of_waits
    return delays


def _key(reference: ReferenceRun, path: int, location: int) -> tuple[Chain, int]:
    return reference.program.chains[path], reference.thread[location]


def _at_holder(reference: ReferenceRun, held: Held) -> tuple[Chain, int]:
    """Return the call path and thread at which the holder had got the lock."""
    freed, holder = holder_of(held, reference.given)
    had = [
        (each.got, False, each.path)
        for each in reference.held
        if (each.lock, each.location) == (held.lock, holder) and each.got <= freed
    ]
    given_up = [
        (at, True, 0) for at, who in reference.given[held.lock] if who == holder and at < freed
    ]
    open_: list[int] = []
    for _, is_over, path in sorted(had + given_up):
        if is_over:
            open_.pop()
        else:
            open_.append(path)
    return _key(reference, open_[-1], holder)


def _costs(reference: ReferenceRun, meeting: Meeting, waited: int) -> dict[Chain | None, float]:
    """Return the costs of a wait by the work and waits that the last thread had beyond the others'
    mean.

    The costs are no more than the time by which that thread came later than the others.
    """
    others = [arrival for arrival in meeting.arrivals if arrival is not meeting.who]
    assert meeting.who is not None
    if not others or not waited:
        return {}
    own = _work(reference, meeting.who)
    mean: dict[Chain | None, float] = defaultdict(float)
    for other in others:
        for what, ticks in _work(reference, other).items():
            mean[what] += ticks / len(others)
    excess = {what: ticks - mean[what] for what, ticks in own.items() if ticks > mean[what]}
    late = meeting.last - sum(other.begin for other in others) / len(others)
    whole_of_it = max(sum(excess.values()), late)
    return {what: waited * ticks / whole_of_it for what, ticks in excess.items()}


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


def _is_wait(interval: Stretch) -> bool:
    return interval.state in _WAITS or has_left(interval)


def alone_since(reference: ReferenceRun, arrival: Arrival) -> int:
    assert arrival.region is not None
    before = [
        max(each.leave, each.meeting.last)
        for each in reference.arrivals_in[id(arrival.region)]
        if each.meeting is not None and is_met(each) and each.begin < arrival.begin
    ]
    return max([arrival.region.begin, *before])


def _passed_on(reference: ReferenceRun) -> dict[int, list[tuple[Held, int]]]:
    """Return, by arrival, the waits for locks after which the waiting thread came to that barrier
    next.

    Only barriers of the thread's own team count.
    """
    result: dict[int, list[tuple[Held, int]]] = defaultdict(list)
    for held in reference.held:
        ticks = contention(held, reference.given)
        coming = [
            arrival
            for arrival in (reference.arrivals if ticks else ())
            if arrival.location == held.location
            and is_met(arrival)
            and alone_since(reference, arrival) <= held.got <= arrival.begin
        ]
        if coming:
            result[id(min(coming, key=lambda item: item.begin))].append((held, ticks))
    return result
