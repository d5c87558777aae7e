"""A parallel job: the profile of each process, and the regions of all of them."""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from operator import attrgetter

from pomp_clang.analysis.columns import columns_of
from pomp_clang.analysis.overheads import Lost
from pomp_clang.analysis.profile import NOTHING, RegionProfile, ThreadValues, summed, with_further
from pomp_clang.analysis.run import AnalyzedRun, analyze_run
from pomp_clang.experiment import ExperimentError
from pomp_clang.experiment.find import rank_of
from pomp_clang.experiment.model import InclusionPlaces, Measured, MpiCalls, Region
from pomp_clang.experiment.reader import read

_VALUES = attrgetter(*(field.name for field in fields(Measured)))

_Key = tuple[str, int, int, int, str, str, str, InclusionPlaces]
"""The key of a region: equal for the same place in each process."""


@dataclass(frozen=True, slots=True)
class ProcessProfile:
    rank: int
    run: AnalyzedRun

    @property
    def mpi(self) -> MpiCalls:
        mpi = self.run.experiment.mpi
        return mpi.total if mpi else MpiCalls()


@dataclass(frozen=True, slots=True)
class ThreadMeasurement:
    rank: int
    tid: int
    measured: Measured


@dataclass(frozen=True, slots=True)
class JobProfile:
    """A job with the profiles of its processes.

    `regions` have ids of the job's own and a row for each process: the sum of its threads. By
    region, `threads` has what each thread measured that came there, and `exclusive` what they lose there.
    `size` is the number of processes according to MPI. `missing` has the reason for each process
    that could not be read.
    """

    processes: tuple[ProcessProfile, ...]
    regions: tuple[RegionProfile, ...]
    threads: dict[str, tuple[ThreadMeasurement, ...]]
    exclusive: dict[str, Lost]
    size: int
    missing: tuple[str, ...]

    @property
    def mpi(self) -> MpiCalls:
        return sum((process.mpi for process in self.processes), start=MpiCalls())

    @property
    def totalT(self) -> float:
        return sum(process.run.analysis.totalT for process in self.processes)

    @property
    def duration(self) -> float:
        return max(process.run.duration for process in self.processes)


def job_of(directories: Iterable[str]) -> JobProfile:
    """Read the processes in these directories; a damaged one becomes a reason in `missing`."""
    processes, missing = [], []
    with _uncollected():
        for place, directory in enumerate(directories):
            rank = rank_of(directory)
            try:
                processes.append(
                    ProcessProfile(place if rank is None else rank, analyze_run(read(directory)))
                )
            except ExperimentError as error:
                missing.append(str(error))
        return over_processes(processes, tuple(missing))


@contextmanager
def _uncollected() -> Iterator[None]:
    """Turn off the garbage collector.

    Nothing that is read is garbage, and searching for it takes a quarter of the time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def over_processes(processes: list[ProcessProfile], missing: tuple[str, ...]) -> JobProfile:
    """Build the job of these processes."""
    known = (process.run.experiment.mpi for process in processes)
    size = max((mpi.size or 0 for mpi in known if mpi), default=0)
    return JobProfile(tuple(processes), *_regions(processes), max(size, len(processes)), missing)


def region_key(region: Region) -> _Key:
    r = region
    lines = r.begin_line1, r.end_lineN, r.begin_column
    return r.file, *lines, r.kind, r.name, r.sub_name, r.included_from


def _regions(
    processes: list[ProcessProfile],
) -> tuple[tuple[RegionProfile, ...], dict[str, tuple[ThreadMeasurement, ...]], dict[str, Lost]]:
    """Merge the regions of all processes, in the order of the source."""
    regions: dict[_Key, Region] = {}
    reached: dict[_Key, list[ThreadMeasurement]] = defaultdict(list)
    lost: dict[_Key, Lost] = defaultdict(Lost)
    for process in processes:
        for profile in process.run.profiles:
            key = region_key(profile.region)
            regions.setdefault(key, profile.region)
            reached[key] += [
                ThreadMeasurement(process.rank, r.tid, r.measured) for r in profile.reached
            ]
            lost[key] += process.run.analysis.exclusive[profile.region.id]
    ranks = [process.rank for process in processes]
    keys = {f"R{number:05d}": key for number, key in enumerate(sorted(regions), 1)}
    profiles = tuple(
        _over_ranks(replace(regions[key], id=ident), ranks, reached[key])
        for ident, key in keys.items()
    )
    threads = {ident: tuple(reached[key]) for ident, key in keys.items()}
    return profiles, threads, {ident: lost[key] for ident, key in keys.items()}


def _over_ranks(
    region: Region, ranks: list[int], reached: list[ThreadMeasurement]
) -> RegionProfile:
    by_rank: dict[int, list[Measured]] = {rank: [] for rank in ranks}
    for thread in reached:
        by_rank[thread.rank].append(thread.measured)
    measured = {rank: _sum(parts) for rank, parts in by_rank.items()}
    columns = with_further(columns_of(region.kind), measured.values())
    rows = tuple(
        ThreadValues(rank, values, tuple(column.value(values) for column in columns))
        for rank, values in measured.items()
    )
    return RegionProfile(region, columns, rows, summed(rows, columns))


def _sum(rows: list[Measured]) -> Measured:
    if len(rows) < 2:
        return rows[0] if rows else NOTHING
    return Measured(*map(sum, zip(*map(_VALUES, rows), strict=True)))
