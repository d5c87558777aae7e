"""Nesting: the parallel region around a region, by call paths, or else by the source text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from pomp_clang.experiment.model import Experiment, Region
from pomp_clang.openmp.kinds import is_parallel


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
