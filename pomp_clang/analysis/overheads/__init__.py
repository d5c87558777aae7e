"""The overhead analysis: how much of the threads' time is lost, why, and where.

`pomp_clang.analysis.columns` defines the loss of each column. This module sums losses over threads.
It charges them to a parallel region and to the program. A region's time is its wall time times its
threads, and the program's is its duration times the threads that may be in teams at the same time.
"""

from __future__ import annotations

from collections import defaultdict

from pomp_clang.analysis.columns import Others, Overhead, ReportColumn
from pomp_clang.analysis.device_use import DeviceUse, device_use, is_host_alone
from pomp_clang.analysis.overheads.barrier_cost import is_barrier_cost
from pomp_clang.analysis.overheads.event_cost import measured_within
from pomp_clang.analysis.overheads.off_processor import (
    NotRunning,
    ProcessorUse,
    ProcessorWaits,
    not_running,
    queued,
    use_of,
)
from pomp_clang.analysis.overheads.target_time import TargetTimes, target_times
from pomp_clang.analysis.overheads.time_in_parallel import (
    SerialPart,
    SmallTeam,
    busy,
    covered,
    serial_parts,
    spared,
    threads_outside,
    wall,
)
from pomp_clang.analysis.profile import RegionProfile, enclosing, missing_at, payers
from pomp_clang.experiment.model import EventCosts, Experiment, Measured, MemoryUse, Region
from pomp_clang.openmp.kinds import is_parallel
from pomp_clang.shared_dataclass import dataclass

CLASSES = tuple(Overhead)
OF_OPENMP = tuple(overhead for overhead in Overhead if overhead is not Overhead.MPI)
"""Classes of overhead in a program without MPI."""


@dataclass(frozen=True, slots=True)
class Lost:
    """Seconds lost, by class of overhead, in the order of `CLASSES`."""

    seconds: tuple[float, ...] = (0.0,) * len(CLASSES)

    @property
    def total(self) -> float:
        return sum(self.seconds)

    def of(self, overhead: Overhead) -> float:
        return self.seconds[CLASSES.index(overhead)]

    def __add__(self, other: Lost) -> Lost:
        return Lost(tuple(a + b for a, b in zip(self.seconds, other.seconds, strict=True)))


@dataclass(frozen=True, slots=True)
class RegionLosses:
    """The losses charged to a parallel region: its own and those of constructs within it."""

    region: Region
    wallT: float
    threads: int
    lost: Lost

    @property
    def totalT(self) -> float:
        return self.wallT * self.threads


@dataclass(frozen=True, slots=True)
class OverheadAnalysis:
    """The overheads of a program: by parallel region, and outside of them.

    `exclusive` is the loss of each region itself, by id. `coverage` is the wall time in parallel regions,
    `busy` each thread's part of it, in the order of the rows. `classes` are those that the program
    can have. `not_running` is work during which threads were on no processor, None if that is not
    known. `targets` is None for a program without target constructs. `alone` are seconds that the initial
    thread loses outside parallel regions, a part of `orphaned`.
    """

    duration: float
    threads: int
    regions: tuple[RegionLosses, ...]
    orphaned: Lost
    exclusive: dict[str, Lost]
    coverage: float
    busy: tuple[float, ...]
    classes: tuple[Overhead, ...] = OF_OPENMP
    not_running: NotRunning | None = None
    targets: TargetTimes | None = None
    costs: EventCosts | None = None
    spared: tuple[SmallTeam, ...] = ()
    """outermost regions whose teams leave threads idle, with the most idle time first"""
    is_oversubscribed: bool = False
    """True if there are more threads than processors that they may use"""
    may_spin: bool = False
    """True if threads that wait may keep their processor"""
    devices: DeviceUse | None = None
    """None in a program that does not offload"""
    queued: float | None = None
    """seconds in which threads waited for a processor, None if unknown"""
    alone: float = 0.0
    mpi_begins_and_ends: float = 0.0
    """seconds in MPI_Init and MPI_Finalize outside parallel regions, a part of `alone`"""
    runs_kernels_on_host: bool = False
    """True if there was no device but the host itself"""
    memory: MemoryUse | None = None
    """None if unknown, and for a run with a trace, which takes memory"""
    events: float = 0.0
    """seconds of the measurement in the time of atomics, flushes and barriers"""
    outside: int = 0
    """threads beside the initial one that ran regions outside parallel regions"""
    serial: tuple[SerialPart, ...] = ()
    """the main thread's time outside parallel regions by what follows, the longest first"""

    @property
    def totalT(self) -> float:
        return self.duration * self.threads

    @property
    def processor_use(self) -> ProcessorUse:
        return use_of(self.is_oversubscribed, self.queued or 0.0, self.totalT, self.may_spin)

    @property
    def processor_waits(self) -> ProcessorWaits:
        return ProcessorWaits(self.processor_use, self.queued or 0.0, self.totalT)

    @property
    def lost(self) -> Lost:
        return sum((charged.lost for charged in self.regions), start=self.orphaned)


def share(part: float, total: float) -> float:
    """Return the part's share of the whole; 0 if the whole is 0."""
    return part / total if total > 0 else 0.0


def loss_of_class(overhead: Overhead, seconds: float) -> Lost:
    """Build a loss of one class."""
    return Lost(tuple(seconds if loss_class is overhead else 0.0 for loss_class in CLASSES))


def exclusive_loss(profile: RegionProfile) -> Lost:
    """Return the loss of one region itself, summed over threads."""
    return Lost(
        tuple(
            _losses_of(
                _losing(profile, profile.missing), tuple(row.measured for row in profile.rows)
            )
        )
    )


_Losing = tuple[tuple[int, ReportColumn, float], ...]
"""Columns that count for a class of overhead, each with the index of the class in `CLASSES`, and the
part of the column that does."""

_CANCELS = ("cancel", "cancellation point")

_PLACES = {overhead.value: place for place, overhead in enumerate(CLASSES)}


def _losing(profile: RegionProfile, missing: Others) -> _Losing:
    if profile.region.kind in _CANCELS and profile.region.clauses.startswith("taskgroup"):
        return ()  # The end of a canceled task is not recorded.
    entries, bodies = profile.execC, profile.bodyC
    is_even = is_barrier_cost(profile)
    losing = []
    for column in profile.columns:
        overhead = column.overhead_of(entries, bodies, missing)
        if is_even and overhead in (Overhead.IMBAL, Overhead.LIMPAR):
            overhead = Overhead.SYNC
        if overhead is not None:
            awaited = profile.kernel_parts.get(column.name, 0.0)
            losing.append((_PLACES[overhead.value], column, 1.0 - awaited))
            if awaited:
                losing.append((_PLACES[Overhead.SYNC.value], column, awaited))
    return tuple(losing)


def _losses_of(losing: _Losing, parts: tuple[Measured, ...]) -> list[float]:
    seconds = [0.0] * len(CLASSES)
    for place, column, part in losing:
        seconds[place] += part * sum(map(column.lost, parts))
    return seconds


def analyze_overheads(
    experiment: Experiment, profiles: tuple[RegionProfile, ...], threads: int | None = None
) -> OverheadAnalysis:
    """Analyze a run with so many threads in teams at the same time, at most; None: as it shows."""
    threads = experiment.threads_at_once if threads is None else threads
    charge = _by_callpath if experiment.callpaths else _by_text
    charged, orphaned = charge(experiment, profiles)
    if experiment.mpi:
        orphaned += loss_of_class(Overhead.MPI, experiment.mpi.outside.mpiT)
    coverage = covered(experiment, profiles)
    times = busy(experiment, profiles, coverage)
    regions = tuple(
        _region_losses(profile, charged[profile.region.id])
        for profile in profiles
        if is_parallel(profile.region.kind)
    )
    return OverheadAnalysis(
        duration=experiment.duration,
        threads=threads,
        regions=tuple(c for c in regions if c.threads or c.lost.total),
        orphaned=orphaned,
        exclusive={profile.region.id: exclusive_loss(profile) for profile in profiles},
        coverage=coverage,
        busy=times,
        classes=CLASSES if experiment.mpi else OF_OPENMP,
        not_running=not_running(
            experiment, times, _lost_by_thread(experiment, profiles), experiment.duration - coverage
        ),
        targets=target_times(experiment, profiles),
        costs=experiment.costs,
        spared=spared(experiment, profiles, threads),
        is_oversubscribed=experiment.is_oversubscribed,
        may_spin=experiment.may_spin,
        devices=device_use(experiment),
        queued=queued(experiment),
        alone=orphaned.of(Overhead.MPI) + _waits_alone(experiment, profiles),
        mpi_begins_and_ends=experiment.mpi.outside.initT if experiment.mpi else 0.0,
        runs_kernels_on_host=experiment.device_count == 0 or is_host_alone(experiment.target),
        memory=experiment.memory,
        events=_events(experiment, profiles),
        outside=threads_outside(experiment),
        serial=serial_parts(profiles, experiment.duration - coverage),
    )


def _events(experiment: Experiment, profiles: tuple[RegionProfile, ...]) -> float:
    """Return the seconds of the measurement in visits of constructs whose only time is execT."""
    costs, threads = experiment.costs, experiment.max_threads
    return sum(
        min(row.measured.execT, measured_within(profile.region.kind, row.measured, costs, threads))
        for profile in profiles
        for row in profile.rows
    )


def _waits_alone(experiment: Experiment, profiles: tuple[RegionProfile, ...]) -> float:
    """Return the seconds that the initial thread loses in OpenMP constructs outside parallel regions,
    as in a taskwait for kernels; 0 without call paths, which alone say where a function was called."""
    if not experiment.callpaths:
        return 0.0
    losing, payer_of = _losing_at(experiment, profiles), payers(experiment)
    initial = min((location.tid for location in experiment.locations), default=0)
    lost = Lost()
    for (path, tid), measured in experiment.callpath_profile.items():
        if tid == initial and not payer_of[path]:
            lost += Lost(tuple(_losses_of(losing[path], (measured,))))
    return lost.total - lost.of(Overhead.MPI)


def _losing_at(experiment: Experiment, profiles: tuple[RegionProfile, ...]) -> dict[str, _Losing]:
    """Return the columns that count for a class of overhead, by call path."""
    losing = {
        (profile.region.id, missing): _losing(profile, missing)
        for profile in profiles
        for missing in Others
    }
    missing_on = missing_at(experiment)
    return {
        path.id: losing[path.region, missing_on.get(path.id, Others.NONE)]
        for path in experiment.callpaths
    }


def _lost_by_thread(experiment: Experiment, profiles: tuple[RegionProfile, ...]) -> list[float]:
    """Return the seconds that each thread loses, of all classes, in the order of the rows."""
    lost = [0.0] * len(experiment.locations)
    if experiment.mpi:
        for (path, tid), calls in experiment.mpi.calls.items():
            lost[tid] += 0.0 if path else calls.mpiT
    for profile in profiles:
        losing = _losing(profile, Others.NONE)
        for place, row in enumerate(profile.rows):
            lost[place] += sum(_losses_of(losing, (row.measured,)))
    return lost


def _by_callpath(
    experiment: Experiment, profiles: tuple[RegionProfile, ...]
) -> tuple[dict[str, Lost], Lost]:
    """Charge losses to the innermost parallel region on the call path; return the rest apart."""
    losing, payer_of = _losing_at(experiment, profiles), payers(experiment)
    charged: dict[str, list[float]] = defaultdict(lambda: [0.0] * len(CLASSES))
    for (path, _), measured in experiment.callpath_profile.items():
        charges = charged[payer_of[path]]
        for place, seconds in enumerate(_losses_of(losing[path], (measured,))):
            charges[place] += seconds
    losses = {payer: Lost(tuple(seconds)) for payer, seconds in charged.items()}
    orphaned = losses.pop("", Lost())
    return defaultdict(Lost, losses), orphaned


def _by_text(
    experiment: Experiment, profiles: tuple[RegionProfile, ...]
) -> tuple[dict[str, Lost], Lost]:
    """Charge losses to the innermost parallel region around a region in the source text."""
    parallels: dict[str, list[Region]] = defaultdict(list)
    for profile in profiles:
        if is_parallel(profile.region.kind):
            parallels[profile.region.file].append(profile.region)
    charged: dict[str, Lost] = defaultdict(Lost)
    orphaned = Lost()
    for profile in profiles:
        payer = enclosing(profile.region, parallels[profile.region.file])
        if payer is None:
            orphaned += exclusive_loss(profile)
        else:
            charged[payer.id] += exclusive_loss(profile)
    return charged, orphaned


def _region_losses(profile: RegionProfile, lost: Lost) -> RegionLosses:
    """Build the losses of a parallel region.

    Its wall time is the longest execT: that of the primary thread, which is there from fork to
    join.
    """
    return RegionLosses(profile.region, wall(profile), len(profile.reached), lost)
