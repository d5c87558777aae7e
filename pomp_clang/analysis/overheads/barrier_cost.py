"""The cost of a barrier itself, as opposed to waits for threads with more work."""

from __future__ import annotations

from pomp_clang.analysis.columns import Overhead, without_tasks
from pomp_clang.analysis.profile import RegionProfile

_LONGEST = 1e-4
"""Seconds that a barrier takes at most if all threads come at once and have a processor each."""

_EXPLAINED = 0.5
"""Share of the time in barriers that uneven work has to account for to be the reason."""

_FOR_ONE = frozenset({"single", "sections", "parallel sections"})
"""Constructs whose work is not for all threads, which wait for it in every execution."""


def is_barrier_cost(profile: RegionProfile) -> bool:
    """Return whether the region's barrier is short each time and uneven work does not explain it."""
    rows = [row.measured for row in profile.reached]
    barrier_time = in_barrier(profile)
    if len(rows) < 2 or not 0 < sum(barrier_time) < _LONGEST * profile.execC:
        return False
    if profile.region.kind == "barrier":
        return _are_alike(barrier_time)
    return _by_work(profile) < _EXPLAINED * sum(barrier_time)


def is_late_in_turn(profile: RegionProfile) -> bool:
    """Return whether threads wait alike in an explicit barrier, so that none is always the last."""
    rows = [row.measured for row in profile.reached]
    in_turn = len(rows) > 1 and min(row.execC for row in rows) > len(rows)
    return in_turn and _are_alike(in_barrier(profile))


def _are_alike(barrier_time: list[float]) -> bool:
    return len(barrier_time) * min(barrier_time) >= _EXPLAINED * sum(barrier_time)


def in_barrier(profile: RegionProfile) -> list[float]:
    """Return each thread's seconds in the region's own or implied barrier."""
    rows = [row.measured for row in profile.reached]
    if profile.region.kind == "barrier":
        return [without_tasks(row) for row in rows]
    waits = any(
        column.name == "exitBarT" and column.overhead in (Overhead.IMBAL, Overhead.LIMPAR)
        for column in profile.columns
    )
    return [row.exitBarT if waits else 0.0 for row in rows]


def _by_work(profile: RegionProfile) -> float:
    """Return the seconds that threads wait because others have more work in the region."""
    work = [row.measured.bodyT for row in profile.reached]
    if profile.region.kind in _FOR_ONE:
        return (len(work) - 1) * sum(work)
    return max(work) * len(work) - sum(work)
