"""The findings of a cube: each cause at each call path, ranked by what it is worth to look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.actionable import are_actionable
from pomp_clang.causes.cube import Cube
from pomp_clang.causes.run import Cells
from pomp_clang.causes.tally import Instance, Statistics
from pomp_clang.trace.model import Ints


@dataclass(frozen=True, slots=True)
class Finding:
    """A cause at a call path: seconds by thread, without those of its parts that are causes
    themselves.  `gain` is what the program's wall time would be shorter without it, None where
    that was not predicted; `instances` are the worst, and `statistics` of all, those of its parts
    among them: none where they are not known."""

    metric: int
    path: int
    threads: npt.NDArray[np.float64]
    gain: float | None = None
    instances: tuple[Instance, ...] = ()
    statistics: Statistics | None = None

    @property
    def severity(self) -> float:
        return float(self.threads.sum())


Gain = Callable[[Finding, float], float | None]
"""What one would gain, and how many of all have been asked for before, of 1."""

_CONSIDERED = 2
"""Times as many as are shown: of these the gains are predicted, and the rank decides."""


def findings(cube: Cube, most: int | None = None, gain: Gain | None = None) -> list[Finding]:
    """Return the worst, ranked by `worth`."""
    considered = None if most is None else most * _CONSIDERED
    is_actionable = are_actionable(cube)
    found = [
        Finding(metric, int(path), own[path].copy())
        for metric, own in own_of(cube)
        for path in _worst(own.sum(axis=1) * is_actionable, considered)
    ]
    found.sort(key=lambda each: (-each.severity, each.metric, each.path))
    if gain is not None:
        found = found[:considered]
        found = [
            replace(each, gain=gain(each, number / len(found))) for number, each in enumerate(found)
        ]
        found.sort(key=lambda each: (-worth(cube, each), each.metric, each.path))
    return [_with_instances(cube, each) for each in found[:most]]


def worth(cube: Cube, found: Finding) -> float:
    """Return the wall seconds by which findings are ranked in every output.

    They are the mean of the predicted gain and of the severity of one thread, which is what the
    gain would be if all threads went on sooner.  A gain that is not known counts as that, too: so
    neither a large severity with no gain nor an unknown gain falls behind what is negligible.
    """
    each_thread = found.severity / max(1, len(cube.threads))
    gain = each_thread if found.gain is None else found.gain
    return (gain + each_thread) / 2


def _with_instances(cube: Cube, found: Finding) -> Finding:
    at = found.metric, found.path
    return replace(found, instances=cube.worst(*at), statistics=cube.statistics(*at))


def _worst(severity: npt.NDArray[np.float64], most: int | None) -> Ints:
    """Paths at which there is something of a cause, so many at the most."""
    paths = np.flatnonzero(severity > 0)
    return paths[np.argsort(-severity[paths], kind="stable")][:most]


def own_of(cube: Cube) -> Iterator[tuple[int, Cells]]:
    """Each cause, and its severities without those of the causes below it."""
    causes = [row for row, metric in enumerate(cube.metrics) if metric.remedy]
    parts: dict[int, list[int]] = {row: [] for row in causes}
    for row in causes:
        above = cube.metrics[row].above
        while above >= 0 and above not in parts:
            above = cube.metrics[above].above
        if above >= 0:
            parts[above].append(row)
    for row in causes:
        cells = cube.dense(row)
        for part in parts[row]:
            cells -= cube.dense(part)
        yield row, np.maximum(0.0, cells, out=cells)
