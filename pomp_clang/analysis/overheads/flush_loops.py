"""Loops with a flush, in which a thread waits until another one writes a variable.

Such a loop takes as long as the other thread needs, whatever a flush costs, and the measurement of its
flushes is a part of the wait.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from pomp_clang.experiment.model import EventCosts, Experiment, Measured

_RATE = 1e6
"""Flushes of a thread per second of the run, from which on it does nothing else between most of them."""

_RATE_OF_ONE = 2e5
"""The same if other threads seldom flush there: pipelines wait a part of the run."""

_SELDOM = 0.1
"""Share of the most flushes of a thread, up to which another thread flushes seldom."""

_UNLIKE = 0.9
"""Share of the most flushes of a thread, below which another thread's show that they are no steps of
the work."""


def is_waiting_loop(flushes: Sequence[float], duration: float) -> bool:
    """Return whether threads that flush so often at one place wait there in a loop."""
    most = max(flushes, default=0)
    least = min(flushes, default=0)
    rate = _RATE_OF_ONE if least <= _SELDOM * most else _RATE
    return most > rate * duration and least < _UNLIKE * most


def flush_loops(experiment: Experiment) -> frozenset[str]:
    """Return the ids of flushes in loops that wait."""
    kinds = {region.id: region.kind for region in experiment.regions}
    flushes: dict[str, list[float]] = defaultdict(lambda: [0.0] * experiment.max_threads)
    for (region, tid), measured in experiment.profile.items():
        if kinds[region] == "flush" and tid < experiment.max_threads:
            flushes[region][tid] += measured.execC
    return frozenset(
        region for region, counts in flushes.items() if is_waiting_loop(counts, experiment.duration)
    )


def between_events(measured: Measured, costs: EventCosts | None) -> float:
    """Return the part of a loop's wait that passes in events of its flushes, outside their own time."""
    return measured.execC * (costs.pair - costs.pair_within) if costs else 0.0
