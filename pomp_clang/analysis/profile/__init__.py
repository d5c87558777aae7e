"""The flat profile: for each region a row for each thread, and their sum."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from pomp_clang.analysis.columns import (
    CHUNK_COLUMNS,
    MPI_COLUMNS,
    Others,
    Overhead,
    ReportColumn,
    asks_for_chunks,
    calls_mpi,
    columns_of,
)
from pomp_clang.analysis.profile.kernel_waits import kernel_parts, regions_for_kernels
from pomp_clang.analysis.profile.missing_threads import missing_in
from pomp_clang.experiment.model import Experiment, Measured, Region

NOTHING = Measured()


@dataclass(frozen=True, slots=True)
class ThreadValues:
    """One thread's values, in the order of the region's columns."""

    tid: int
    measured: Measured
    values: tuple[float, ...]


@dataclass(frozen=True)
class RegionProfile:
    """A region or call path with a row for each thread of the run, and their SUM.

    The row of a thread that never reached the region has zeros. `missing` says which other threads
    do not exist, so that no thread waits for them. `kernel_parts` are the parts of columns that are
    waits for kernels. `is_for_kernels` is True for a wait for tasks of which all are kernels.
    """

    region: Region
    columns: tuple[ReportColumn, ...]
    rows: tuple[ThreadValues, ...]
    total: tuple[float, ...]
    missing: Others = Others.NONE
    kernel_parts: Mapping[str, float] = field(default_factory=dict)
    is_for_kernels: bool = False

    def overhead_of(self, column: ReportColumn) -> Overhead | None:
        """Return the class of overhead that a column counts for in this region."""
        return column.overhead_of(self.execC, self.bodyC, self.missing)

    def beside_kernels(self, measured: Measured) -> Measured:
        """Return a thread's times without waits for kernels."""
        if not self.kernel_parts:
            return measured
        left = {name: 1 - part for name, part in self.kernel_parts.items()}
        return replace(
            measured,
            execT=measured.taskT + (measured.execT - measured.taskT) * left.get("execT", 1.0),
            exitBarT=measured.exitBarT * left.get("exitBarT", 1.0),
            shutdwnT=measured.shutdwnT * left.get("shutdwnT", 1.0),
        )

    @cached_property
    def reached(self) -> tuple[ThreadValues, ...]:
        """The rows of the threads that reached the region."""
        return tuple(row for row in self.rows if row.measured != NOTHING)

    @cached_property
    def ran(self) -> bool:
        return bool(self.reached)

    @cached_property
    def execT(self) -> float:
        return sum(row.measured.execT for row in self.rows)

    @cached_property
    def execC(self) -> int:
        return sum(row.measured.execC for row in self.rows)

    @cached_property
    def bodyC(self) -> int:
        return sum(row.measured.bodyC for row in self.rows)


def flat_profile(experiment: Experiment) -> tuple[RegionProfile, ...]:
    """Build the profile of each region, in the experiment's order."""
    tids = sorted(location.tid for location in experiment.locations)
    missing, parts = missing_in(experiment), kernel_parts(experiment)
    for_kernels = regions_for_kernels(experiment)
    return tuple(
        replace(
            _profile(experiment, region, tids, missing.get(region.id, Others.NONE)),
            kernel_parts=parts.get(region.id, {}),
            is_for_kernels=region.id in for_kernels,
        )
        for region in experiment.regions
    )


def _profile(
    experiment: Experiment, region: Region, tids: list[int], missing: Others
) -> RegionProfile:
    measured = [experiment.profile.get((region.id, tid), NOTHING) for tid in tids]
    columns = with_further(columns_of(region.kind), measured)
    rows = tuple(_row(tid, thread, columns) for tid, thread in zip(tids, measured, strict=True))
    return RegionProfile(region, columns, rows, summed(rows, columns), missing)


def with_further(
    columns: tuple[ReportColumn, ...], measured: Iterable[Measured]
) -> tuple[ReportColumn, ...]:
    """Add the columns of chunks, and of MPI, if any thread has values in them."""
    rows = tuple(measured)
    if any(map(asks_for_chunks, rows)):
        columns = (*columns, *CHUNK_COLUMNS)
    return (*columns, *MPI_COLUMNS) if any(map(calls_mpi, rows)) else columns


def summed(rows: Sequence[ThreadValues], columns: tuple[ReportColumn, ...]) -> tuple[float, ...]:
    """Return the SUM over threads of each column."""
    return tuple(sum(row.values[i] for row in rows) for i in range(len(columns)))


def _row(tid: int, measured: Measured, columns: tuple[ReportColumn, ...]) -> ThreadValues:
    return ThreadValues(tid, measured, tuple(column.value(measured) for column in columns))
