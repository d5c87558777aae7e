"""Which parallel region something is in: by call paths, or by the source text without them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from pomp_clang.experiment.model import Experiment, Region
from pomp_clang.openmp.columns import is_parallel


def payers(experiment: Experiment) -> dict[str, str]:
    """Of each call path the innermost parallel region on it, or ""."""
    kinds = {region.id: region.kind for region in experiment.regions}
    found: dict[str, str] = {}
    for path in experiment.callpaths:
        above = found[path.above] if path.above is not None else ""
        found[path.id] = path.region if is_parallel(kinds[path.region]) else above
    return found


def enclosing(region: Region, parallels: list[Region]) -> Region | None:
    """The parallel region that pays for what `region` loses, if there is one.

    A parallel region, combined or not, pays for itself.  Any other construct is
    charged to the innermost parallel region around it in the source text, where a
    profile has no call paths: the one with the fewest lines, and of those that
    share their lines the one that begins last.
    """
    if is_parallel(region.kind):
        return region
    around = [p for p in parallels if _contains(p, region)]
    return min(around, key=lambda p: (_lines(p), -p.begin_column), default=None)


def _last_line(region: Region) -> int:
    # A lone directive or a call may have no end of its own.
    return max(region.begin_line1, region.begin_lineN, region.end_line1, region.end_lineN)


def _lines(region: Region) -> int:
    return _last_line(region) - region.begin_line1


def _contains(outer: Region, inner: Region) -> bool:
    begins = (outer.begin_line1, outer.begin_column) <= (inner.begin_line1, inner.begin_column)
    return outer.file == inner.file and begins and _last_line(inner) <= _last_line(outer)


def outermost(regions: Iterable[Region]) -> tuple[Region, ...]:
    """The parallel regions that stand in no other in the source text."""
    parallels: dict[str, list[Region]] = defaultdict(list)
    for region in regions:
        if is_parallel(region.kind):
            parallels[region.file].append(region)
    return tuple(
        region
        for each in parallels.values()
        for region in each
        if all(_contains(region, p) for p in each if _contains(p, region))
    )
