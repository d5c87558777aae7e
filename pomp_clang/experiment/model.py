"""What a run left behind, as the phases after it see it.

An `Experiment` is made by `pomp_clang.experiment.reader` and read by the
analysis and the reports.  Times are seconds, counts are integers.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace


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
    """whether its implied barrier was left as it is, for the OpenMP runtime to tell of"""


@dataclass(frozen=True, slots=True)
class Location:
    """A thread of the process; `tid` counts from 0 in the report's order.  `ranT` is how long it
    was on a processor, None where the experiment does not tell."""

    tid: int
    dropped: int
    ranT: float | None = None


@dataclass(frozen=True, slots=True)
class CallPath:
    """A region below another call path, or below none: in a team's threads below the
    parallel region that the team was forked for, and what led there."""

    id: str
    above: str | None
    region: str
    task: bool = False
    """whether the region runs as a task there, rather than being met"""


@dataclass(frozen=True, slots=True)
class Measured:
    """Raw sums of one region on one location, as the runtime books them.

    Which of these a report shows, and under which ompP column, is the business
    of `pomp_clang.openmp.columns`.  T are seconds, C are counts.
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
    """of a barrier that is run again at a parallel region's end: no column, it is in shutdwnT"""
    mpiT: float = 0.0
    inV: int = 0
    outV: int = 0
    recvC: int = 0
    sendC: int = 0
    collC: int = 0
    mpiOwnT: float = 0.0
    """of mpiT, what is in no region further in: no column"""


@dataclass(frozen=True, slots=True)
class Costs:
    """What an event cost when the runtime tried it at the start, in seconds: enter and
    exit of a visit and what of it is in the visit's time, an event inside, and all those
    of a parallel region at its master.  `atomic`, `critical` and `master` are what the
    events of one add to it, which hides a part of them, `creation`, `task` and `wait` those of
    a task where it is made, where it runs, and of a wait for tasks; 0 where it was not tried."""

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


@dataclass(frozen=True, slots=True)
class Counters:
    """What was counted besides time: `metrics` are what the values are of, `wanted` what
    the run was asked for, results of them included.  `values` are by (call path, tid), and
    exclusive; those of no call path, "", are from outside all regions."""

    metrics: tuple[str, ...]
    wanted: str
    values: dict[tuple[str, int], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class MpiCalls:
    """Seconds in MPI, bytes in and out, and operations."""

    mpiT: float = 0.0
    inV: int = 0
    outV: int = 0
    recvC: int = 0
    sendC: int = 0
    collC: int = 0

    def __add__(self, other: MpiCalls) -> MpiCalls:
        return MpiCalls(
            self.mpiT + other.mpiT,
            self.inV + other.inV,
            self.outV + other.outV,
            self.recvC + other.recvC,
            self.sendC + other.sendC,
            self.collC + other.collC,
        )


@dataclass(frozen=True, slots=True)
class Mpi:
    """What the process was in MPI: `rank` of `size`, None where it never came to be one.

    `volume` is how bytes are accounted for, "naive" or "minimal".  `calls` are by (call path,
    tid), and exclusive; those of no call path, "", are from outside all regions."""

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
    """What had been measured `time` seconds after the start; `cause` is "interval",
    "signal" or "call".  Of `unsettled` threads the values are not all of one moment.
    `counted` are what `Counters.values` were then, `locations` the experiment's as they were."""

    number: int
    cause: str
    time: float
    unsettled: int
    profile: dict[tuple[str, int], Measured]
    callpath_profile: dict[tuple[str, int], Measured]
    counted: dict[tuple[str, int], tuple[int, ...]] = field(default_factory=dict)
    mpi: Mpi | None = None
    locations: tuple[Location, ...] = ()


@dataclass(frozen=True, slots=True)
class Experiment:
    """One process's run.

    `profile` maps (region id, tid) to what was measured there; a pair that is
    missing was never reached; `callpath_profile` is the same by call path, of
    where with `folded_callpaths` some had no room: their regions stand below none.
    `complete` is false when the program ended without telling us (a crash, SIGKILL,
    `_exit`): the data is what had been measured by then.  `ompt` is the OpenMP runtime
    that told of its barriers and locks, by its own name; "" when none did.  `processors` are
    the machine's, None where nobody said.
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
    snapshots: tuple[Snapshot, ...] = ()
    dropped_snapshots: int = 0
    costs: Costs | None = None
    counters: Counters | None = None
    mpi: Mpi | None = None
    """None in a program without MPI"""

    def at(self, snapshot: Snapshot) -> Experiment:
        """As it was then."""
        return replace(
            self,
            duration=snapshot.time,
            profile=snapshot.profile,
            callpath_profile=snapshot.callpath_profile,
            snapshots=(),
            mpi=snapshot.mpi,
            locations=snapshot.locations or self.locations,
        )
