"""Time off the processor: threads had work, but slept in it or others ran.

The system reports how long each thread was on a processor in all, not when. Threads may spin while
they wait, so processor time counts for their work first: the result is a lower bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from pomp_clang.experiment.model import Experiment


class ProcessorUse(Enum):
    """The use of the processors: free, or taken by too many threads of the program or by others."""

    FREE = "free"
    OVERSUBSCRIBED = "oversubscribed"
    BUSY = "busy"


BUSY = 0.05
"""The share of the threads' time in a processor's queue from which on their waits say little."""


def queued(experiment: Experiment) -> float | None:
    """Return the seconds in which threads could have run and others had the processors; None if
    unknown."""
    times = [location.queuedT for location in experiment.locations]
    known = [seconds for seconds in times if seconds is not None]
    return sum(known) if known and len(known) == len(times) else None


@dataclass(frozen=True, slots=True)
class NotRunning:
    """Seconds of all threads: of the work in parallel regions, and of the serial time."""

    work: float
    serial: float


def not_running(
    experiment: Experiment, busy: Sequence[float], lost: Sequence[float], serial: float
) -> NotRunning | None:
    """Return the work that did not run, or None if no thread's processor time is known.

    `busy` and `lost` are each thread's time in parallel regions and what it lost. `serial` is the
    time of the first thread outside parallel regions.
    """
    running = [
        location.ranT
        for location in sorted(experiment.locations, key=lambda location: location.tid)
    ]
    if all(seconds is None for seconds in running):
        return None
    work = alone = 0.0
    for tid, (time, losing, known) in enumerate(zip(busy, lost, running, strict=True)):
        outside = serial if tid == 0 else 0.0
        expected = max(0.0, time + outside - losing)
        if known is None or expected <= known:
            continue
        inside = max(0.0, expected - outside) / expected
        work += (expected - known) * inside
        alone += (expected - known) * (1 - inside)
    return NotRunning(work, alone)
