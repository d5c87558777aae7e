"""The measurements of a run, as later phases see them.

`pomp_clang.experiment.reader` makes an `Experiment`; analysis and reports read it. Times are
seconds, counts are integers.
"""

from __future__ import annotations

from dataclasses import field, replace

from pomp_clang.experiment.target_profile import TargetProfile
from pomp_clang.openmp.kinds import is_parallel
from pomp_clang.shared_dataclass import dataclass

InclusionPlaces = tuple[tuple[str, int], ...]
"""File and line of an #include directive within a function, and of those that include its file,
outwards."""


@dataclass(frozen=True, slots=True)
class Region:
    """A construct, function, lock call or user region: one place in the source.

    `kind` is the directive's words ("parallel for"), "function", "region" or
    "lock".  The line pairs are those of the descriptor (POMP paper, section 3.5).
    """

    id: str
    kind: str
    name: str
    sub_name: str
    num_sections: int
    file: str
    begin_line1: int
    begin_lineN: int
    end_line1: int
    end_lineN: int
    begin_column: int
    clauses: str
    function: str
    nowait: bool
    barrier_measured: bool
    by_ompt: bool = False
    by_arrival: bool = False
    """True if its implied barrier was left to the OpenMP runtime to report"""
    included_from: InclusionPlaces = ()
    """the place of the inclusion that has the region, if its file is included within functions"""


@dataclass(frozen=True, slots=True)
class Location:
    """A thread of the process; `tid` counts from 0 in the report's order.

    `ranT` is how long it was on a processor, and `queuedT` how long it waited for one, None if the
    experiment does not say.
    """

    tid: int
    dropped: int
    ranT: float | None = None
    queuedT: float | None = None


@dataclass(frozen=True, slots=True)
class CallPath:
    """A region below another call path, or below none.

    In a team's threads it stands below the parallel region that the team was forked for, and the
    path to that.
    """

    id: str
    above: str | None
    region: str
    task: bool = False
    """True where the region runs as a task"""


@dataclass(frozen=True, slots=True)
class Measured:
    """Sums of one region on one location, as the runtime books them.

    Names end in T for seconds and in C for counts. The first fields are those of `layout.Column`,
    found by their names. `pomp_clang.analysis.columns` says which ones a report shows.
    """

    execC: int = 0
    execT: float = 0.0
    bodyC: int = 0
    bodyT: float = 0.0
    enterT: float = 0.0
    exitT: float = 0.0
    exitBarT: float = 0.0
    startupT: float = 0.0
    shutdwnT: float = 0.0
    taskT: float = 0.0
    createC: int = 0
    createT: float = 0.0
    againT: float = 0.0
    """a barrier that is run again at a parallel region's end; it has no column, as shutdwnT includes it"""
    chunkC: int = 0
    chunkT: float = 0.0
    serialT: float = 0.0
    """outside parallel regions, before visits of one; it has no column"""
    mpiT: float = 0.0
    inV: int = 0
    outV: int = 0
    recvC: int = 0
    sendC: int = 0
    collC: int = 0
    mpiOwnT: float = 0.0
    """the part of mpiT in no inner region; it has no column"""


@dataclass(frozen=True, slots=True)
class LoopIterations:
    """A thread's part in one execution of a loop whose iterations were recorded.

    `execution` counts the region's executions from 1. `begin` and `end` are seconds after the
    program's start, `end` is None if the thread did not leave the loop. `bins` have the loop
    variable's value, the number of iterations and their seconds; a bin has the iterations from its
    value up to `width` further. `descends` is True if the loop counts down.
    """

    region: str
    tid: int
    execution: int
    begin: float
    end: float | None
    width: int
    descends: bool
    bins: tuple[tuple[int, int, float], ...]


@dataclass(frozen=True, slots=True)
class EventCosts:
    """Costs of events in seconds, as the runtime measured them at the start.

    `pair` is enter and exit of a visit, and `pair_within` the share in the visit's time. `step` is
    an event inside, and `parallel` all events of a parallel region at its master. `atomic`, `critical`
    and `master` are what events add to a construct, which hides a part of them. `creation`, `task`
    and `wait` are those of a task where it is created, where it runs, and of a wait for tasks.
    `atomic_bare` is an atomic update without events, in the cache. A cost that was not measured is 0.
    """

    pair: float
    pair_within: float
    step: float
    parallel: float
    parallel_within: float
    atomic: float = 0.0
    atomic_within: float = 0.0
    critical: float = 0.0
    critical_within: float = 0.0
    master: float = 0.0
    master_within: float = 0.0
    creation: float = 0.0
    task: float = 0.0
    task_within: float = 0.0
    wait: float = 0.0
    wait_within: float = 0.0
    atomic_bare: float = 0.0


@dataclass(frozen=True, slots=True)
class Counters:
    """Counts in addition to time.

    `metrics` names the values, `requested` the settings of the run, with derived metrics.
    `values` are by (call path, tid), and exclusive; call path "" is outside all regions.
    """

    metrics: tuple[str, ...]
    requested: str
    values: dict[tuple[str, int], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class MpiCalls:
    """Seconds in MPI, bytes in and out, and numbers of operations.

    `initT` is the part of mpiT in MPI_Init and MPI_Finalize.
    """

    mpiT: float = 0.0
    inV: int = 0
    outV: int = 0
    recvC: int = 0
    sendC: int = 0
    collC: int = 0
    initT: float = 0.0

    def __add__(self, other: MpiCalls) -> MpiCalls:
        return MpiCalls(
            self.mpiT + other.mpiT,
            self.inV + other.inV,
            self.outV + other.outV,
            self.recvC + other.recvC,
            self.sendC + other.sendC,
            self.collC + other.collC,
            self.initT + other.initT,
        )


@dataclass(frozen=True, slots=True)
class MpiProfile:
    """A process's part in MPI: `rank` of `size`, None if it never initialized MPI.

    `volume` is how bytes are counted, "naive" or "minimal". `calls` are by (call path, tid), and
    exclusive; call path "" is outside all regions.
    """

    rank: int | None
    size: int | None
    library: str
    thread_level: str
    volume: str
    calls: dict[tuple[str, int], MpiCalls]

    @property
    def total(self) -> MpiCalls:
        return sum(self.calls.values(), start=MpiCalls())

    @property
    def outside(self) -> MpiCalls:
        return sum((c for (path, _), c in self.calls.items() if not path), start=MpiCalls())


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The measurements `time` seconds after the start; `cause` is "interval", "signal" or "call".

    The values of `unsettled` threads are not all of one moment. `counted` is `Counters.values` at
    that moment, `locations` the experiment's.
    """

    number: int
    cause: str
    time: float
    unsettled: int
    profile: dict[tuple[str, int], Measured]
    callpath_profile: dict[tuple[str, int], Measured]
    counted: dict[tuple[str, int], tuple[int, ...]] = field(default_factory=dict)
    mpi: MpiProfile | None = None
    locations: tuple[Location, ...] = ()
    target: TargetProfile | None = None


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """A process's page faults, the seconds of the operating system, and the most pages that the
    process had at a time."""

    page_faults: int
    systemT: float
    peak_pages: int


@dataclass(frozen=True, slots=True)
class Experiment:
    """One process's run.

    `profile` maps (region id, tid) to sums; a missing pair was never reached. `callpath_profile` is
    the same by call path. With `folded_callpaths` some call paths had no room, and their regions
    stand below none.

    `complete` is False if the program ended without notice (a crash, SIGKILL, `_exit`): the data ends
    at that time. `ompt` names the OpenMP runtime that reported its barriers and
    locks, "" if none did. `processors` is the machine's number of processors, None if unknown, and
    `usable_processors` those to which the process was bound, None if it could use all. `wait_policy`
    is the value of OMP_WAIT_POLICY, "" if it was not set, None if unknown.
    """

    directory: str
    program: str
    command_line: tuple[str, ...]
    pid: int
    host: str
    start: str
    duration: float
    complete: bool
    clock: str
    openmp_runtime: str
    max_threads: int
    regions: tuple[Region, ...]
    locations: tuple[Location, ...]
    profile: dict[tuple[str, int], Measured]
    callpaths: tuple[CallPath, ...] = ()
    callpath_profile: dict[tuple[str, int], Measured] = field(default_factory=dict)
    folded_callpaths: bool = False
    ompt: str = ""
    processors: int | None = None
    usable_processors: int | None = None
    wait_policy: str | None = None
    snapshots: tuple[Snapshot, ...] = ()
    dropped_snapshots: int = 0
    costs: EventCosts | None = None
    counters: Counters | None = None
    mpi: MpiProfile | None = None
    """None in a program without MPI"""
    target: TargetProfile | None = None
    """None in a program without target constructs, or without code for devices"""
    device_count: int | None = None
    """the devices that the program saw at its first target construct, None if it ran none"""
    iterations: tuple[LoopIterations, ...] = ()
    """recorded for loops that a filter selects"""
    memory: MemoryUse | None = None

    @property
    def processors_of_threads(self) -> int | None:
        """The processors that the process may use, None if unknown."""
        return self.usable_processors or self.processors

    @property
    def threads_at_once(self) -> int:
        """The most threads that may be in teams at the same time.

        Threads of a nested team may be others than those of the pool, which wait meanwhile. All
        threads count if several fork outermost teams.
        """
        masters = {tid for (_, tid), measured in self.callpath_profile.items() if measured.serialT}
        if len(masters) != 1:
            return self.max_threads
        kinds = {region.id: region.kind for region in self.regions}
        outermost: dict[str | None, str | None] = {None: None}
        for path in self.callpaths:
            own = path.id if is_parallel(kinds[path.region]) else None
            outermost[path.id] = outermost[path.above] or own
        teams: dict[str | None, set[int]] = {None: set(masters)}
        for path_id, tid in self.callpath_profile:
            teams.setdefault(outermost[path_id], set()).add(tid)
        outside = teams.pop(None)
        return self.max_threads if outside != masters else max(map(len, teams.values()), default=1)

    @property
    def threads_on_processors(self) -> int:
        """The most threads that take a processor at the same time: those in teams, and all if threads
        that wait keep theirs."""
        spins = (self.wait_policy or "").strip().lower() == "active"
        return self.max_threads if spins else self.threads_at_once

    @property
    def is_oversubscribed(self) -> bool:
        """True if more threads take a processor at the same time than there are for them."""
        usable = self.processors_of_threads
        return usable is not None and self.threads_on_processors > usable

    @property
    def may_spin(self) -> bool:
        """True if threads that wait may keep their processor."""
        return self.wait_policy is not None and self.wait_policy.strip().lower() != "passive"

    @property
    def is_bound_too_narrowly(self) -> bool:
        """True if there are more threads than the processors to which the process is bound."""
        return self.usable_processors is not None and self.is_oversubscribed

    def at(self, snapshot: Snapshot) -> Experiment:
        """Return the experiment as it was at a snapshot."""
        return replace(
            self,
            duration=snapshot.time,
            profile=snapshot.profile,
            callpath_profile=snapshot.callpath_profile,
            snapshots=(),
            mpi=snapshot.mpi,
            target=snapshot.target,
            locations=snapshot.locations or self.locations,
        )
