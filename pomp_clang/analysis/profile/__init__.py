"""The flat profile: for each region a row for each thread, and their sum.

A region has a parallel region around it, by call paths or else by the source text. Where a thread
is alone in its team, the other threads are missing: it waits for none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
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
from pomp_clang.experiment.model import Experiment, Measured, Region
from pomp_clang.openmp.kinds import is_parallel, is_target
from pomp_clang.shared_dataclass import dataclass


def payers(experiment: Experiment) -> dict[str, str]:
    """Return the innermost parallel region on each call path, or ""."""
    kinds = {region.id: region.kind for region in experiment.regions}
    parallel_on: dict[str, str] = {}
    for path in experiment.callpaths:
        above = parallel_on[path.above] if path.above is not None else ""
        parallel_on[path.id] = path.region if is_parallel(kinds[path.region]) else above
    return parallel_on


def enclosing(region: Region, parallels: list[Region]) -> Region | None:
    """Return the parallel region that is charged with the losses of `region`, if there is one.

    A parallel region, combined or not, is charged itself. For any other construct it is the
    innermost parallel region around it in the source text. In a profile without call paths this is
    the one with the fewest lines; of several with the same lines, the one that begins last.
    """
    if is_parallel(region.kind):
        return region
    around = [p for p in parallels if contains(p, region)]
    return min(around, key=lambda p: (_lines(p), -p.begin_column), default=None)


def _last_line(region: Region) -> int:
    # A lone directive or a call may have no end of its own.
    return max(region.begin_line1, region.begin_lineN, region.end_line1, region.end_lineN)


def _lines(region: Region) -> int:
    return _last_line(region) - region.begin_line1


def contains(outer: Region, inner: Region) -> bool:
    """Return whether a region stands in another one, or is the same, in the source text."""
    begins = (outer.begin_line1, outer.begin_column) <= (inner.begin_line1, inner.begin_column)
    return outer.file == inner.file and begins and _last_line(inner) <= _last_line(outer)


def outermost(regions: Iterable[Region]) -> tuple[Region, ...]:
    """Return the parallel regions that stand in no other one in the source text."""
    parallels: dict[str, list[Region]] = defaultdict(list)
    for region in regions:
        if is_parallel(region.kind):
            parallels[region.file].append(region)
    return tuple(
        region
        for of_file in parallels.values()
        for region in of_file
        if all(contains(region, p) for p in of_file if contains(p, region))
    )


def _has_helpers(experiment: Experiment) -> bool:
    """Return whether a thread may wait for tasks that run on hidden threads.

    The runtime's hidden threads run deferred target tasks, and detached tasks end elsewhere.
    """
    return any(
        (is_target(region.kind) and "nowait" in region.clauses)
        or (region.kind == "task" and "detach" in region.clauses)
        for region in experiment.regions
    )


def missing_at(experiment: Experiment) -> dict[str, Others]:
    """Return which other threads are missing at each call path.

    A team of one is known from its visitors: there is one, or all of them are threads of the team
    around it, as where nested regions are serialized. The other members of a larger inner team are
    threads of their own.
    """
    if _has_helpers(experiment):
        return {}
    if experiment.max_threads == 1:
        return {path.id: Others.PROGRAM for path in experiment.callpaths}
    visitors: dict[str, set[int]] = defaultdict(set)
    for (path_id, tid), measured in experiment.callpath_profile.items():
        if measured.execC:
            visitors[path_id].add(tid)
    payer_of = payers(experiment)
    nearest: dict[str | None, str | None] = {None: None}
    alone: dict[str | None, bool] = {None: False}
    for path in experiment.callpaths:
        outer = nearest[path.above]
        nearest[path.id] = outer
        if payer_of[path.id] == path.region:
            team = visitors[path.id]
            nearest[path.id] = path.id
            alone[path.id] = len(team) == 1 or (outer is not None and team <= visitors[outer])
    return {
        path.id: Others.TEAM if alone[nearest[path.id]] else Others.NONE
        for path in experiment.callpaths
    }


def missing_in(experiment: Experiment) -> dict[str, Others]:
    """Return which other threads are missing in each region, on all of its call paths."""
    if _has_helpers(experiment):
        return {}
    if experiment.max_threads == 1:
        return {region.id: Others.PROGRAM for region in experiment.regions}
    at = missing_at(experiment)
    regions = {path.id: path.region for path in experiment.callpaths}
    missing_at_region: dict[str, Others] = {}
    for path_id, missing in at.items():
        region = regions[path_id]
        missing_at_region[region] = min(missing, missing_at_region.get(region, Others.PROGRAM))
    return missing_at_region


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
