"""One run with its analysis, as comparisons of several runs use it, and the parts of all its threads' time."""

from __future__ import annotations

from pomp_clang.analysis.columns import Overhead
from pomp_clang.analysis.overheads import OverheadAnalysis, analyze_overheads, share
from pomp_clang.analysis.overheads.target_time import TargetTimes
from pomp_clang.analysis.profile import RegionProfile, flat_profile
from pomp_clang.experiment.model import Experiment
from pomp_clang.shared_dataclass import dataclass


class Times(dict[str, float]):
    """Seconds by the name of a part; 0 for a part that the program cannot have."""

    def __missing__(self, name: str) -> float:
        return 0.0


@dataclass(frozen=True, slots=True)
class Breakdown:
    """Seconds over all threads.

    `target` is the time of the host's threads in target constructs, None for a program without any;
    `target_alone` is the initial thread's part of it, outside parallel regions, `mpi_alone` its
    time in MPI calls there, and `kernels_awaited` its waits for kernels there. `lost` is by class of overhead, in the order of `classes`. The two idle times are by thread, in the order of the
    profile's rows: `unused` outside parallel regions, `spared` while a smaller team ran.
    `not_running` is neither in `work` nor in `serial`; None if it is not known. `events` is the
    measurement's part of synchronization, which `lost` does not have.
    """

    totalT: float
    work: float
    serial: float
    lost: tuple[float, ...]
    classes: tuple[Overhead, ...]
    unused: tuple[float, ...]
    spared: tuple[float, ...]
    not_running: float | None = None
    target: float | None = None
    target_alone: float = 0.0
    mpi_alone: float = 0.0
    kernels_awaited: float = 0.0
    events: float = 0.0

    @property
    def idle(self) -> float:
        return sum(self.unused) + sum(self.spared)

    def parts(self) -> Times:
        """Return the seconds over all threads by the name of the part."""
        lost = zip(self.classes, self.lost, strict=True)
        not_running = {} if self.not_running is None else {"NotRun": self.not_running}
        return Times(
            {
                "Work": self.work,
                "Serial": self.serial,
                **not_running,
                **({} if self.target is None else {"Target": self.target}),
                **{overhead.value: value for overhead, value in lost},
                **({"Events": self.events} if self.events else {}),
                "Idle": self.idle,
            }
        )


_NOTABLE_EVENTS = 0.005
"""The share of the threads' time from which on events are a part of their own."""


def break_down(analysis: OverheadAnalysis) -> Breakdown:
    """Break down the time of all threads.

    Losses can exceed the measured time in parallel regions. The excess belongs to a team that was
    not measured, so it is subtracted from the idle time.
    """
    busy = analysis.busy
    unthreaded = analysis.duration - analysis.coverage
    lost = tuple(analysis.lost.of(overhead) for overhead in analysis.classes)
    events = min(analysis.events, analysis.lost.of(Overhead.SYNC))
    if events < _NOTABLE_EVENTS * analysis.totalT:
        events = 0.0
    # In no parallel region MPI is called by the initial thread.
    alone = min(unthreaded, analysis.alone)
    lost_there = sum(lost) - alone
    mpi_alone = min(alone, analysis.orphaned.of(Overhead.MPI))
    work, serial = max(0.0, sum(busy) - lost_there), unthreaded - alone
    targets = analysis.targets or TargetTimes(0.0, 0.0)
    target_alone = min(serial, targets.outside)
    target_inside = min(work, targets.inside)
    outside, others = max(0, analysis.threads - 1) * unthreaded, len(busy) - 1
    inside = max(0.0, analysis.threads * analysis.coverage - sum(busy))
    unknown = max(0.0, lost_there - sum(busy))
    known_share = max(0.0, 1.0 - share(unknown, outside + inside))
    not_running_work, alone_time = 0.0, 0.0
    if analysis.not_running is not None:
        # A thread may be on no processor while a device works for it.
        not_running_work = min(work, max(0.0, analysis.not_running.work - target_inside))
        not_running_work = min(not_running_work, work - target_inside)
        alone_time = max(0.0, analysis.not_running.serial - target_alone)
        alone_time = min(alone_time, serial - target_alone)
    return Breakdown(
        totalT=analysis.totalT,
        work=work - target_inside - not_running_work,
        serial=serial - target_alone - alone_time,
        lost=tuple(
            seconds - events if overhead is Overhead.SYNC else seconds
            for overhead, seconds in zip(analysis.classes, lost, strict=True)
        ),
        classes=analysis.classes,
        unused=_shared_out(known_share * outside, [0.0, *[unthreaded] * others][: len(busy)]),
        spared=_shared_out(known_share * inside, [analysis.coverage - time for time in busy]),
        not_running=None if analysis.not_running is None else not_running_work + alone_time,
        target=None if analysis.targets is None else target_alone + target_inside,
        target_alone=target_alone,
        mpi_alone=mpi_alone,
        kernels_awaited=alone - mpi_alone if analysis.targets is not None else 0.0,
        events=events,
    )


def _shared_out(total: float, seconds: list[float]) -> tuple[float, ...]:
    """Return parts of a total in proportion to each thread's seconds.

    Of the threads, fewer may be in teams at the same time. Only these can be idle.
    """
    whole = sum(seconds)
    return tuple(total * share(time, whole) for time in seconds)


@dataclass(frozen=True, slots=True)
class AnalyzedRun:
    experiment: Experiment
    profiles: tuple[RegionProfile, ...]
    analysis: OverheadAnalysis
    breakdown: Breakdown

    @property
    def threads(self) -> int:
        """The threads that may be in teams at the same time."""
        return self.analysis.threads

    @property
    def duration(self) -> float:
        return self.experiment.duration

    def lost(self, profile: RegionProfile) -> float:
        """Return the seconds that a region itself loses."""
        return self.analysis.exclusive[profile.region.id].total

    def parts(self) -> Times:
        """Return the seconds of all threads by the name of the part of their time."""
        return self.breakdown.parts()


def analyze_run(experiment: Experiment, threads: int | None = None) -> AnalyzedRun:
    """Analyze a run; of a moment of a run, with the `threads` that may be in teams at the same time
    in the whole run."""
    profiles = flat_profile(experiment)
    analysis = analyze_overheads(experiment, profiles, threads)
    return AnalyzedRun(experiment, profiles, analysis, break_down(analysis))
