"""What stands out of a cube: each cause at each place, what costs most first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.cube import Cube
from pomp_clang.causes.run import Cells


@dataclass(frozen=True, slots=True)
class Partner:
    """A call of MPI at a row of the cube's paths, on a thread of a process."""

    process: int
    thread: int
    path: int
    begin: float


@dataclass(frozen=True, slots=True)
class Instance:
    """Moments are seconds from the program's begin; `partner` is what was waited for."""

    process: int
    thread: int
    begin: float
    end: float
    severity: float
    partner: Partner | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """A cause at a call path: seconds by thread, without those of its parts that are causes
    themselves.  `gain` is what the program's wall time would be shorter without it, None where
    that was not predicted; `instances` are the worst."""

    metric: int
    path: int
    threads: npt.NDArray[np.float64]
    gain: float | None = None
    instances: tuple[Instance, ...] = ()

    @property
    def severity(self) -> float:
        return float(self.threads.sum())


Gain = Callable[[Finding], float | None]

_CONSIDERED = 2
"""Times as many as are shown: which of them are is decided by what they would gain."""


def findings(cube: Cube, most: int | None = None, gain: Gain | None = None) -> list[Finding]:
    """The worst, by their gain where it is predicted and else by their severity."""
    found = [
        Finding(metric, int(path), own[path])
        for metric, own in own_of(cube).items()
        for path in np.flatnonzero(own.sum(axis=1) > 0)
    ]
    found.sort(key=lambda each: (-each.severity, each.metric, each.path))
    if gain is not None:
        considered = found if most is None else found[: most * _CONSIDERED]
        found = [replace(each, gain=gain(each)) for each in considered]
        found.sort(key=lambda each: (-(each.gain or 0.0), -each.severity))
    return found[:most]


def own_of(cube: Cube) -> dict[int, Cells]:
    """Of each cause, its severities without those of the causes below it."""
    causes = [row for row, metric in enumerate(cube.metrics) if metric.remedy]
    own = {row: cube.dense(row) for row in causes}
    for row in causes:
        above = cube.metrics[row].above
        while above >= 0 and above not in own:
            above = cube.metrics[above].above
        if above >= 0:
            own[above] = own[above] - cube.dense(row)
    return {row: np.maximum(0.0, cells) for row, cells in own.items()}
