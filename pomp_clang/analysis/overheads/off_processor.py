"""Time off the processor: threads had work, but slept in it or others ran.

The system reports how long each thread was on a processor in all, not when. Threads may spin while
they wait, so processor time counts for their work first: the result is a lower bound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import Enum

from pomp_clang.analysis.device_use import is_host_alone
from pomp_clang.analysis.overheads.time_in_parallel import threads_outside
from pomp_clang.experiment.model import Experiment
from pomp_clang.shared_dataclass import dataclass


class ProcessorUse(Enum):
    """The use of the processors: free, or taken by too many threads of the program or by others.

    `BUSY_AND_SPINNING` is `BUSY` with waiting threads of the program that may keep their processor."""

    FREE = "free"
    OVERSUBSCRIBED = "oversubscribed"
    BUSY = "busy"
    BUSY_AND_SPINNING = "busy and spinning"


BUSY = 0.05
"""The share of the threads' time in a processor's queue from which on their waits say little."""


_MUCH_LONGER = 4
"""Waits for a processor over a cost, from which on they may explain all of the cost."""

DISTURBED = 0.25
"""The share of the threads' time in a processor's queue from which on it lies within their waits and
calls of the OpenMP runtime rather than beside them."""

_DISTURBED_COST = 0.5
"""Waits for a processor over a cost, from which on they may explain it in a disturbed run."""


BOUND = " (the process is bound: mpirun --bind-to none)"
"""The end of the warning for a process that is bound to fewer processors than it has threads."""


@dataclass(frozen=True, slots=True)
class ProcessorWaits:
    """The use of the processors, and the seconds in which threads waited for one, of `total` seconds.
    `run_kernels` if the program's only device is the host, `run_unmeasured` if they run a team whose
    region is not measured."""

    use: ProcessorUse = ProcessorUse.FREE
    seconds: float = 0.0
    total: float = 0.0
    run_kernels: bool = False
    run_unmeasured: bool = False

    def explain(self, cost: float) -> bool:
        """Return whether waits for processors that other programs had, or too many threads of this
        one, may be all of a cost, in seconds."""
        is_disturbed = self.total > 0 and self.seconds >= DISTURBED * self.total
        least = _DISTURBED_COST if is_disturbed else _MUCH_LONGER
        return self.use is not ProcessorUse.FREE and self.seconds >= least * cost


NO_WAITS = ProcessorWaits()


def use_of(
    is_oversubscribed: bool, waited: float, total: float, may_spin: bool = False
) -> ProcessorUse:
    """Return the use of the processors by threads that waited for one for `waited` of `total` seconds."""
    if is_oversubscribed:
        return ProcessorUse.OVERSUBSCRIBED
    if total <= 0 or waited / total < BUSY:
        return ProcessorUse.FREE
    return ProcessorUse.BUSY_AND_SPINNING if may_spin else ProcessorUse.BUSY


def processor_waits(experiments: Iterable[Experiment]) -> ProcessorWaits:
    """Return the waits for a processor of all processes of a run."""
    threads: Counter[str] = Counter()
    processors: dict[str, int] = {}
    waited = total = 0.0
    run_kernels = run_unmeasured = is_oversubscribed = may_spin = False
    for experiment in experiments:
        is_oversubscribed |= experiment.is_oversubscribed
        may_spin |= experiment.may_spin
        threads[experiment.host] += experiment.threads_on_processors
        processors[experiment.host] = experiment.processors or 0
        waited += queued(experiment) or 0.0
        total += experiment.duration * experiment.threads_at_once
        run_kernels |= experiment.device_count == 0 or is_host_alone(experiment.target)
        run_unmeasured |= threads_outside(experiment) > 0
    is_oversubscribed |= any(0 < processors[host] < threads[host] for host in threads)
    use = use_of(is_oversubscribed, waited, total, may_spin)
    return ProcessorWaits(use, waited, total, run_kernels, run_unmeasured)


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
