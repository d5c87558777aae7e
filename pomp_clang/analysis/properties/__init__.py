"""Performance properties: inefficiencies that are looked for by name, ranked by what they cost.

Names, kinds and severities are those of ompP where it has them: lost time / (duration x
threads).  Which column is which loss follows the overhead classes of the ompP paper
(section II-B3): waiting to enter is synchronization, waiting at the end imbalance or limited
parallelism, starting, ending and releasing management.  Properties that ompP has not:
ManagementOverhead, WaitForTurn, FrequentFlush, those of tasks, and, of the program as a
whole, IdleThreads and LimitedParallelism, which are EXPERT's.
"""

from __future__ import annotations

from pomp_clang.analysis.barrier_cost import is_barrier_cost
from pomp_clang.analysis.breakdown import break_down
from pomp_clang.analysis.overheads import Analysis, share
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.analysis.properties import alone, imbalance, limited, management, waiting
from pomp_clang.analysis.properties.model import Found, Property, Seen, lasting
from pomp_clang.openmp.columns import Others

__all__ = ["ROWS", "Found", "Property", "find", "lasting"]

_TICK = 1e-9
"""Less than a clock can tell is no finding but rounding."""

ROWS = (*waiting.ROWS, *imbalance.ROWS, *limited.ROWS, *management.ROWS, *alone.ROWS)


_FOR_WORK = frozenset(row.name for row in imbalance.ROWS) | {
    "UnparallelizedInSingleRegion",
    "WaitAtBarrier",
}
"""Properties of threads that wait in a barrier for those that have more work: where that is not the
reason BarrierOverhead holds instead."""


def find(profiles: tuple[RegionProfile, ...], analysis: Analysis) -> tuple[Found, ...]:
    """All that holds anywhere, what costs most first."""
    found = limited.of_program(break_down(analysis), analysis)
    for profile in profiles:
        for row in ROWS:
            if profile.region.kind in row.kinds:
                found += _held(row, profile, analysis)
    return tuple(sorted((f for f in found if f.severity >= _TICK), key=_rank))


def _held(row: Property, profile: RegionProfile, analysis: Analysis) -> list[Found]:
    if Others.NONE < row.others <= profile.missing:
        return []
    if row.name in _FOR_WORK and is_barrier_cost(profile):
        return []
    less = analysis.visit_costs.get(profile.region.kind, 0.0)
    costs = ((row.cost(each.measured), each.measured.execC) for each in profile.rows)
    seen = Seen(profile, analysis, tuple(max(0.0, cost - less * count) for cost, count in costs))
    if seen.severity < _TICK or not row.holds(seen):
        return []
    found = Found(
        name=row.name,
        overhead=row.overhead,
        profile=profile,
        severity=seen.severity,
        share=share(seen.severity, analysis.totalT),
        locations=seen.locations,
        text=row.sentence(seen),
        advice=row.advice_for(seen),
    )
    return [found]


def _rank(found: Found) -> tuple[float, str, str]:
    return -found.severity, found.name, found.profile.region.id if found.profile else ""
