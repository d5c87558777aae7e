"""Records of an experiment file, as they stand in it."""

from __future__ import annotations

from dataclasses import field

from pomp_clang.shared_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class RunHeader:
    """The header of a file. Times are ticks, `start_wall` is ns since 1970 UTC."""

    state: int
    records_end: int
    ticks_per_second: int
    start: int
    end: int
    start_wall: int
    pid: int
    forked_from: int
    lost: int
    folded: int
    dropped_snapshots: int
    version: int


@dataclass(frozen=True, slots=True)
class RawRegion:
    """A region's record."""

    id: int
    flags: int
    num_sections: int
    lines: tuple[int, int, int, int]
    begin_column: int
    strings: tuple[str, str, str, str, str]
    """name, sub_name, file, clauses, function"""
    included_from: str = ""
    """the places of inclusion, one on a line"""


@dataclass(frozen=True, slots=True)
class RawPath:
    """A call path below the path `above`, 0 for none; `task` is True where the region runs as a
    task."""

    above: int
    region: int
    task: bool


@dataclass(frozen=True, slots=True)
class RawLocation:
    """A location's record."""

    id: int
    level: int
    thread_num: int
    first: int
    last: int
    dropped: int
    unrecorded: int = 0
    """events that its trace had no room for, the first of them at `unrecorded_since`"""
    unrecorded_since: int = 0
    cut: int = 0
    """the last joined team whose end it did not record"""
    cut_since: int = 0
    """when that was joined, or the newest in whose barrier at the region's end it waited"""
    mpi_since: int = 0
    """the begin (ticks) of the MPI call that it was in, on `mpi_path`; 0 for none"""
    mpi_path: int = 0
    arrived_path: int = 0
    arrived: int = 0
    """the team at whose region's end, on `arrived_path`, it arrived last, at `arrived_since`"""
    arrived_since: int = 0
    arrived_tasks: int = 0
    """ticks in which it ran tasks there"""
    cpu_time: int = 0
    """nanoseconds that its threads were on a processor; 0: not known"""
    queued: int = 0
    """nanoseconds that they waited for a processor; 0: not known"""
    joined: int = 0
    """the newest team that it joined as its master, at `joined_since`"""
    joined_since: int = 0
    joined_assembled: int = 0
    """when all of that team had arrived at the region's end; 0: not known"""


@dataclass(frozen=True, slots=True)
class OpenFrame:
    """A region that was still open; since `since` the time column `phase` was running.

    `away` is ticks in which its task was suspended, not yet subtracted from the frames beneath.
    """

    region: int
    kind: int
    phase: int
    flags: int
    start: int
    since: int
    away: int
    path: int
    team: int = 0
    """a worker's, of a parallel region"""


@dataclass(frozen=True, slots=True)
class RawIterations:
    """A location's part in an execution of a loop. `begin` and `end` are ticks, `end` is 0 if the
    location did not leave the loop. Bin b has the loop variable's values v with
    v >> shift == low + b."""

    location: int
    region: int
    execution: int
    begin: int
    end: int
    low: int
    shift: int
    backwards: int
    bins: tuple[tuple[int, int], ...]
    """ticks and number of iterations"""


@dataclass(frozen=True, slots=True)
class RawTargetRow:
    """A call path's use of a device, or the part that concerns the data at an address."""

    path: int
    device: int
    address: int
    bytes: int
    values: tuple[int, ...]
    """those of `layout.TARGET_COLUMNS`, times in ticks"""
    name: str = ""
    """of the variable at the address, if it is known"""


@dataclass(frozen=True, slots=True)
class RawDeviceIntervals:
    """Intervals of devices that one thread recorded: `content` has `layout.DEVICE_INTERVAL` in the
    byte order `order`, one in each `size` bytes. `lost` intervals had no room."""

    content: bytes
    size: int
    order: str
    lost: int


@dataclass(slots=True)
class Sums:
    """The sums of locations at a moment. `stacks` and `held` are by location, `held` as (call path,
    since)."""

    sums: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    """(call path, location) -> the columns of `layout.Column`, where any is not 0"""
    stacks: dict[int, tuple[OpenFrame, ...]] = field(default_factory=dict)
    held: dict[int, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    counters: dict[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)
    """(call path, location) -> the metrics, where any is not 0; path 0 is outside all regions"""
    locations: dict[int, RawLocation] = field(default_factory=dict)
    mpi: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    """the same of `layout.MPI_COLUMNS`"""
    target: list[RawTargetRow] = field(default_factory=list)


@dataclass(slots=True)
class RawSnapshot(Sums):
    """A snapshot; `time` is in ticks. The values of `unsettled` locations are not all of one moment."""

    number: int = 0
    cause: str = ""
    time: int = 0
    unsettled: int = 0


@dataclass(slots=True)
class Records(Sums):
    """All records of a file; call paths count from 1, the sums are those of the run's end."""

    header: RunHeader = field(kw_only=True)
    texts: dict[str, str] = field(default_factory=dict)
    regions: dict[int, RawRegion] = field(default_factory=dict)
    paths: dict[int, RawPath] = field(default_factory=dict)
    snapshots: list[RawSnapshot] = field(default_factory=list)
    iterations: list[RawIterations] = field(default_factory=list)
    devices: list[RawDeviceIntervals] = field(default_factory=list)
    costs: tuple[float, ...] = ()
    """ticks of one visit each, as `layout.COSTS` has them"""
