"""The kind of time that a property is, which its color says, and the properties that few runs have."""

from __future__ import annotations

from collections.abc import Mapping

from pomp_clang.causes.cube.cube import Cube

KINDS = ("computing", "waiting", "overhead")
"""The kinds of time; a property that is all of it, or a count, has none."""

_KIND_OF: Mapping[str, str] = {
    "Execution": "computing",
    "Target": "computing",
    "Computational imbalance": "computing",
    "Critical path": "computing",
    "Critical-path imbalance": "waiting",
    "Overhead": "overhead",
    "MPI": "overhead",
    "OpenMP": "overhead",
    "OpenMP/Synchronization": "waiting",
    "Barrier Completion": "overhead",
    "NxN Completion": "overhead",
    "Late Sender": "waiting",
    "Late Receiver": "waiting",
    "Early Reduce": "waiting",
    "Early Scan": "waiting",
    "Late Broadcast": "waiting",
    "Wait at NxN": "waiting",
    "Wait at Fence": "waiting",
    "Late Post": "waiting",
    "Early Wait": "waiting",
    "Wait for Lock": "waiting",
    "Wait at Barrier": "waiting",
    "Idle Threads": "waiting",
    "Idle Beside Other Teams": "waiting",
    "Performance impact": "waiting",
    "Delay costs": "waiting",
    "Wait states": "waiting",
    "Wait states by effect": "waiting",
}
"""By name, or by parent and name; the properties below have the same kind unless they are named."""

_SELDOM = frozenset(
    {
        "MPI",
        "MPI Synchronizations",
        "MPI delay",
        "Messages",
        "Collective Operations",
        "Bytes",
        "Target",
        "Idle During Target",
    }
)
"""Properties without a row, like those below them, in runs of one process that have none of it."""


def kinds_of(cube: Cube) -> list[str]:
    """Return each metric's kind of time, "" for none."""
    kinds: list[str] = []
    for metric in cube.metrics:
        parent = cube.metrics[metric.above].name if metric.above >= 0 else ""
        above = kinds[metric.above] if metric.above >= 0 else ""
        kind = _KIND_OF.get(f"{parent}/{metric.name}", _KIND_OF.get(metric.name, above))
        kinds.append(kind if metric.unit == "s" else "")
    return kinds


def absent_of(cube: Cube) -> list[bool]:
    """Return for each metric whether the run has nothing that could have it."""
    if len({thread.process for thread in cube.threads}) > 1:
        return [False] * len(cube.metrics)
    totals = cube.totals()
    return [
        metric.name in _SELDOM and not total
        for metric, total in zip(cube.metrics, totals, strict=True)
    ]
