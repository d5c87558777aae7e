"""The processes of one parallel job: what each of them measured, and what they did together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields

from pomp_clang.analysis.profile import NOTHING, RegionProfile, Row, summed, with_mpi
from pomp_clang.analysis.run import Run, run_of
from pomp_clang.experiment.errors import ExperimentError
from pomp_clang.experiment.find import rank_of
from pomp_clang.experiment.model import Measured, MpiCalls, Region
from pomp_clang.experiment.reader import read
from pomp_clang.openmp.columns import columns_of

_Key = tuple[str, int, int, int, str, str, str]
"""Of a region: the same place in each process."""


@dataclass(frozen=True, slots=True)
class Process:
    rank: int
    run: Run

    @property
    def mpi(self) -> MpiCalls:
        mpi = self.run.experiment.mpi
        return mpi.total if mpi else MpiCalls()


@dataclass(frozen=True, slots=True)
class Difference:
    """Seconds of all threads of the process that has least, and of that which has most: of a
    part of their time by its name, or in a region."""

    what: str | Region
    least: tuple[float, int]
    most: tuple[float, int]

    @property
    def seconds(self) -> float:
        return self.most[0] - self.least[0]


@dataclass(frozen=True, slots=True)
class Job:
    """`regions` have a row for each process, which is its threads' sum; `size` is what MPI says
    of how many processes there are, `missing` why some of them are not here."""

    processes: tuple[Process, ...]
    regions: tuple[RegionProfile, ...]
    size: int
    missing: tuple[str, ...]

    @property
    def mpi(self) -> MpiCalls:
        return sum((each.mpi for each in self.processes), start=MpiCalls())

    @property
    def duration(self) -> float:
        return max(each.run.duration for each in self.processes)


def job_of(directories: Iterable[str]) -> Job:
    """What can be read of the processes whose directories these are: one that was killed must
    not take the others with it."""
    found, missing = [], []
    for place, directory in enumerate(directories):
        rank = rank_of(directory)
        try:
            found.append(Process(place if rank is None else rank, run_of(read(directory))))
        except ExperimentError as error:
            missing.append(str(error))
    return over_processes(found, tuple(missing))


def over_processes(found: list[Process], missing: tuple[str, ...]) -> Job:
    """The job of these processes."""
    known = (each.run.experiment.mpi for each in found)
    size = max((mpi.size or 0 for mpi in known if mpi), default=0)
    return Job(tuple(found), _regions(found), max(size, len(found)), missing)


def differences(job: Job) -> tuple[Difference, ...]:
    """Where the processes are not alike, by how much: the largest difference first."""
    parts = [(each.run.parts(), each.rank) for each in job.processes]
    names = [part for part, _ in sorted(parts[0][0].items())]
    found = [
        _difference(name, [(times[name], rank) for times, rank in parts])
        for name in (*names, *({"MPI"} - set(names)))
    ]
    found += [
        _difference(each.region, [(row.measured.execT, row.tid) for row in each.rows])
        for each in job.regions
    ]
    return tuple(sorted(found, key=lambda each: -each.seconds))


def _difference(what: str | Region, values: list[tuple[float, int]]) -> Difference:
    """Of equal ones the lowest rank."""
    least = min(values)
    most = max(values, key=lambda each: (each[0], -each[1]))
    return Difference(what, least, most)


def _key(region: Region) -> _Key:
    r = region
    lines = r.begin_line1, r.end_lineN, r.begin_column
    return r.file, *lines, r.kind, r.name, r.sub_name


def _regions(processes: list[Process]) -> tuple[RegionProfile, ...]:
    """Places in the source that any of the processes has, in their order."""
    regions: dict[_Key, Region] = {}
    sums: dict[tuple[_Key, int], Measured] = {}
    for process in processes:
        for profile in process.run.profiles:
            key = _key(profile.region)
            regions.setdefault(key, profile.region)
            sums[key, process.rank] = _sum(row.measured for row in profile.reached)
    return tuple(
        _over(regions[key], {each.rank: sums.get((key, each.rank), NOTHING) for each in processes})
        for key in sorted(regions)
    )


def _over(region: Region, measured: dict[int, Measured]) -> RegionProfile:
    columns = with_mpi(columns_of(region.kind), measured.values())
    rows = tuple(
        Row(rank, each, tuple(column.value(each) for column in columns))
        for rank, each in measured.items()
    )
    return RegionProfile(region, columns, rows, summed(rows, columns))


def _sum(parts: Iterable[Measured]) -> Measured:
    rows = tuple(parts)
    return Measured(
        **{each.name: sum(getattr(row, each.name) for row in rows) for each in fields(Measured)}
    )
