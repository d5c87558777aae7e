"""The processes of one parallel job: what each of them measured, and what they did together."""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from operator import attrgetter

from pomp_clang.analysis.overheads import Lost
from pomp_clang.analysis.profile import NOTHING, RegionProfile, Row, summed, with_mpi
from pomp_clang.analysis.run import Run, run_of
from pomp_clang.experiment.errors import ExperimentError
from pomp_clang.experiment.find import rank_of
from pomp_clang.experiment.model import Measured, MpiCalls, Region
from pomp_clang.experiment.reader import read
from pomp_clang.openmp.columns import columns_of

_VALUES = attrgetter(*(each.name for each in fields(Measured)))

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
class OfThread:
    rank: int
    tid: int
    measured: Measured


@dataclass(frozen=True, slots=True)
class Job:
    """`regions` have a row for each process, which is its threads' sum, and ids of the job's own;
    by region `threads` is what each thread that came there measured, `own` what they lose there.
    `size` is what MPI says of how many processes there are, `missing` why some of them are not
    here."""

    processes: tuple[Process, ...]
    regions: tuple[RegionProfile, ...]
    threads: dict[str, tuple[OfThread, ...]]
    own: dict[str, Lost]
    size: int
    missing: tuple[str, ...]

    @property
    def mpi(self) -> MpiCalls:
        return sum((each.mpi for each in self.processes), start=MpiCalls())

    @property
    def totalT(self) -> float:
        return sum(each.run.analysis.totalT for each in self.processes)

    @property
    def duration(self) -> float:
        return max(each.run.duration for each in self.processes)


def job_of(directories: Iterable[str]) -> Job:
    """What can be read of the processes whose directories these are: one that was killed must
    not take the others with it."""
    found, missing = [], []
    with _uncollected():
        for place, directory in enumerate(directories):
            rank = rank_of(directory)
            try:
                found.append(Process(place if rank is None else rank, run_of(read(directory))))
            except ExperimentError as error:
                missing.append(str(error))
        return over_processes(found, tuple(missing))


@contextmanager
def _uncollected() -> Iterator[None]:
    """Nothing of what is read is garbage, and looking for it again and again is a quarter of the
    time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def over_processes(found: list[Process], missing: tuple[str, ...]) -> Job:
    """The job of these processes."""
    known = (each.run.experiment.mpi for each in found)
    size = max((mpi.size or 0 for mpi in known if mpi), default=0)
    return Job(tuple(found), *_regions(found), max(size, len(found)), missing)


def _key(region: Region) -> _Key:
    r = region
    lines = r.begin_line1, r.end_lineN, r.begin_column
    return r.file, *lines, r.kind, r.name, r.sub_name


def _regions(
    processes: list[Process],
) -> tuple[tuple[RegionProfile, ...], dict[str, tuple[OfThread, ...]], dict[str, Lost]]:
    """Places in the source that any of the processes has, in their order."""
    regions: dict[_Key, Region] = {}
    reached: dict[_Key, list[OfThread]] = defaultdict(list)
    lost: dict[_Key, Lost] = defaultdict(Lost)
    for process in processes:
        for profile in process.run.profiles:
            key = _key(profile.region)
            regions.setdefault(key, profile.region)
            reached[key] += [OfThread(process.rank, r.tid, r.measured) for r in profile.reached]
            lost[key] += process.run.analysis.own[profile.region.id]
    ranks = [each.rank for each in processes]
    keys = {f"R{number:05d}": key for number, key in enumerate(sorted(regions), 1)}
    profiles = tuple(
        _over(replace(regions[key], id=ident), ranks, reached[key]) for ident, key in keys.items()
    )
    threads = {ident: tuple(reached[key]) for ident, key in keys.items()}
    return profiles, threads, {ident: lost[key] for ident, key in keys.items()}


def _over(region: Region, ranks: list[int], reached: list[OfThread]) -> RegionProfile:
    by_rank: dict[int, list[Measured]] = {rank: [] for rank in ranks}
    for each in reached:
        by_rank[each.rank].append(each.measured)
    measured = {rank: _sum(parts) for rank, parts in by_rank.items()}
    columns = with_mpi(columns_of(region.kind), measured.values())
    rows = tuple(
        Row(rank, each, tuple(column.value(each) for column in columns))
        for rank, each in measured.items()
    )
    return RegionProfile(region, columns, rows, summed(rows, columns))


def _sum(rows: list[Measured]) -> Measured:
    if len(rows) < 2:
        return rows[0] if rows else NOTHING
    return Measured(*map(sum, zip(*map(_VALUES, rows), strict=True)))
