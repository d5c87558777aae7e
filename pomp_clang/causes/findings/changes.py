"""Changes of findings from one run to another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pomp_clang.causes.cube.algebra import aligned
from pomp_clang.causes.cube.cube import Cube
from pomp_clang.causes.cube.instance_statistics import Statistics
from pomp_clang.causes.findings.findings import severities_without_parts

_NOTHING = 0.001
"""Share of the longer run's duration; smaller changes are left out."""


@dataclass(frozen=True, slots=True)
class CauseChange:
    """A property at a call path in two runs: seconds of all threads `before` and `after`, without
    those of its parts that have a remedy themselves. The statistics are those of the
    instances, including those of all parts; None if there are none or they are not known."""

    metric: int
    path: int
    before: float
    after: float
    statistics_before: Statistics | None = None
    statistics_after: Statistics | None = None

    @property
    def delta(self) -> float:
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class CubeChanges:
    """The changes between two cubes with the same rows, the largest first, and the
    numbers of threads of the two runs."""

    before: Cube
    after: Cube
    threads_before: int
    threads_after: int
    changes: tuple[CauseChange, ...]

    @property
    def total(self) -> float:
        return sum(cause_change.delta for cause_change in self.changes)


def changes_of(before: Cube, after: Cube) -> CubeChanges:
    """Compare two cubes; call paths are the same if their places are. Changes below a thousandth
    of the longer duration are left out."""
    first, second = aligned(before, after)
    minimum = _NOTHING * max(before.duration, after.duration)
    changes = []
    for (metric, was), (_, later) in zip(
        severities_without_parts(first), severities_without_parts(second), strict=True
    ):
        if second.metrics[metric].unit != "s":
            continue
        sums = was.sum(axis=1), later.sum(axis=1)
        for path in np.flatnonzero(np.abs(sums[1] - sums[0]) >= minimum):
            before_sum, after_sum = (float(total[path]) for total in sums)
            before_statistics, after_statistics = (
                cube.statistics(metric, int(path)) for cube in (first, second)
            )
            changes.append(
                CauseChange(
                    metric, int(path), before_sum, after_sum, before_statistics, after_statistics
                )
            )
    changes.sort(key=lambda change: (-abs(change.delta), change.metric, change.path))
    return CubeChanges(first, second, len(before.threads), len(after.threads), tuple(changes))
