"""The measurement in the time of constructs that are measured as one visit.

An atomic update may take longer because of its events, in addition to their own cost. Without events,
the processor overlaps the update's wait for its cache line with other work.
"""

from __future__ import annotations

from pomp_clang.experiment.model import EventCosts, Measured

_DOMINATED = 4.0
"""The multiple of its events' price below which an update's time shows the events, not the update."""


def measured_within(kind: str, measured: Measured, costs: EventCosts | None, threads: int) -> float:
    """Return the seconds of the measurement in visits of a kind whose only time is execT."""
    match kind if costs else "":
        case "atomic":
            assert costs is not None
            return measured.execC * _atomic_within(costs) + masked(measured, costs, threads)
        case "flush" | "barrier":
            assert costs is not None
            return measured.execC * costs.pair_within
    return 0.0


def within_implied_barrier(measured: Measured, costs: EventCosts | None) -> float:
    """Return the seconds of the measurement in a construct's waits at its implied barrier."""
    return min(measured.exitBarT, measured.execC * costs.step) if costs else 0.0


def exposed(measured: Measured, costs: EventCosts) -> float:
    """Return the seconds that atomic updates take beyond their events and updates in the cache.

    Events add at most that, beside their own price.
    """
    if not costs.atomic_bare:
        return 0.0
    return max(0.0, measured.execT - measured.execC * (_atomic_within(costs) + costs.atomic_bare))


def masked(measured: Measured, costs: EventCosts, threads: int) -> float:
    """Return the seconds of atomic updates that events dominate, beyond those of such updates alone.

    Alone, an update takes its price in the cache, times the threads which may use its variable.
    """
    net = max(0.0, measured.execT - measured.execC * _atomic_within(costs))
    if not costs.atomic_bare or net >= measured.execC * _DOMINATED * costs.atomic:
        return 0.0
    return max(0.0, net - measured.execC * costs.atomic_bare * threads)


def _atomic_within(costs: EventCosts) -> float:
    return costs.atomic_within or costs.pair_within
