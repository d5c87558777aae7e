"""The flat profile: for every region a row for each thread, and their sum."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from pomp_clang.analysis.alone import missing_in
from pomp_clang.experiment.model import Experiment, Measured, Region
from pomp_clang.openmp.columns import MPI_COLUMNS, Column, Others, Overhead, calls_mpi, columns_of

NOTHING = Measured()


@dataclass(frozen=True, slots=True)
class Row:
    """One thread's values, in the order of the region's columns."""

    tid: int
    measured: Measured
    values: tuple[float, ...]


@dataclass(frozen=True)
class RegionProfile:
    """One region, or a call path to it: a row for each thread of the run, and SUM over them.

    A thread that never reached the region has a row of zeros.  `missing` are the other threads
    that there are none of to wait for.
    """

    region: Region
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    total: tuple[float, ...]
    missing: Others = Others.NONE

    def overhead_of(self, column: Column) -> Overhead | None:
        """Return the class of overhead that one of the columns counts for here."""
        return column.overhead_of(self.execC, self.bodyC, self.missing)

    @cached_property
    def reached(self) -> tuple[Row, ...]:
        """The rows of the threads that came to the region."""
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
    """All regions of the experiment, in its own order."""
    tids = sorted(location.tid for location in experiment.locations)
    missing = missing_in(experiment)
    return tuple(
        _profile(experiment, region, tids, missing.get(region.id, Others.NONE))
        for region in experiment.regions
    )


def _profile(
    experiment: Experiment, region: Region, tids: list[int], missing: Others
) -> RegionProfile:
    measured = [experiment.profile.get((region.id, tid), NOTHING) for tid in tids]
    columns = with_mpi(columns_of(region.kind), measured)
    rows = tuple(_row(tid, each, columns) for tid, each in zip(tids, measured, strict=True))
    return RegionProfile(region, columns, rows, summed(rows, columns), missing)


def with_mpi(columns: tuple[Column, ...], measured: Iterable[Measured]) -> tuple[Column, ...]:
    """The columns, and MPI's where any of the threads called it."""
    return (*columns, *MPI_COLUMNS) if any(map(calls_mpi, measured)) else columns


def summed(rows: Sequence[Row], columns: tuple[Column, ...]) -> tuple[float, ...]:
    """The SUM over threads, of each column."""
    return tuple(sum(row.values[i] for row in rows) for i in range(len(columns)))


def _row(tid: int, measured: Measured, columns: tuple[Column, ...]) -> Row:
    return Row(tid, measured, tuple(column.value(measured) for column in columns))
