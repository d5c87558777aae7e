"""Tells the price of a barrier itself from waits for threads that have more work."""

from __future__ import annotations

from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.openmp.columns import Overhead, without_tasks

_LONGEST = 1e-4
"""Seconds: a barrier to which all threads come at once takes less, where each has a processor."""

_EXPLAINED = 0.5
"""The share of the time in barriers that unequal work has to account for to be the reason."""

_FOR_ONE = frozenset({"single", "sections", "parallel sections"})
"""Constructs whose work is not for all threads: these wait for it in every execution."""


def is_barrier_cost(profile: RegionProfile) -> bool:
    """Return whether the region's barrier is short each time, and unequal work does not explain it."""
    rows = [row.measured for row in profile.reached]
    spent = in_barrier(profile)
    if len(rows) < 2 or not 0 < sum(spent) < _LONGEST * profile.execC:
        return False
    if profile.region.kind == "barrier":
        return len(spent) * min(spent) >= _EXPLAINED * sum(spent)
    return _by_work(profile) < _EXPLAINED * sum(spent)


def in_barrier(profile: RegionProfile) -> list[float]:
    """Return seconds of each thread that came to the region, in the barrier that it is or implies."""
    rows = [row.measured for row in profile.reached]
    if profile.region.kind == "barrier":
        return [without_tasks(each) for each in rows]
    waits = any(
        column.name == "exitBarT" and column.overhead in (Overhead.IMBAL, Overhead.LIMPAR)
        for column in profile.columns
    )
    return [each.exitBarT if waits else 0.0 for each in rows]


def _by_work(profile: RegionProfile) -> float:
    """Return the seconds that threads wait because others have more work in the region."""
    work = [row.measured.bodyT for row in profile.reached]
    if profile.region.kind in _FOR_ONE:
        return (len(work) - 1) * sum(work)
    return max(work) * len(work) - sum(work)
