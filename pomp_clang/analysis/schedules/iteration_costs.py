"""The cost along a loop's iteration space, from the recorded parts of its threads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import numpy.typing as npt

from pomp_clang.experiment.model import Experiment, LoopIterations

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class CostCurve:
    """The time that the first n iterations take on one thread, for n at some places.

    `ends` are numbers of iterations and `seconds` their time, both rising from 0. In between, all
    iterations cost the same.
    """

    ends: Floats
    seconds: Floats

    @property
    def iterations(self) -> int:
        return int(self.ends[-1])

    @property
    def total(self) -> float:
        return float(self.seconds[-1])

    def until(self, numbers: Floats) -> Floats:
        """Return the seconds of the first iterations, for each number of them."""
        return np.interp(numbers, self.ends, self.seconds)


@dataclass(frozen=True, slots=True)
class LoopExecution:
    """One recorded execution of a loop by a team.

    `busy` are the seconds of each thread's iterations without the cost of their events. `weight` is
    the number of executions that it stands for. `values`, `tids`, `counts` and `seconds` are the bins
    in the order of the iterations.
    """

    number: int
    weight: float
    curve: CostCurve
    busy: tuple[float, ...]
    values: Integers
    tids: Integers
    counts: Integers
    seconds: Floats

    @property
    def threads(self) -> int:
        return len(self.busy)


def executions(experiment: Experiment, region: str) -> list[LoopExecution]:
    """Return the recorded executions of a region's loop that all threads left and that have
    iterations."""
    event = experiment.costs.step if experiment.costs is not None else 0.0
    total = max(
        (sums.execC for (ident, _), sums in experiment.profile.items() if ident == region),
        default=0,
    )
    parts = [part for part in experiment.iterations if part.region == region]
    groups = [
        (number, _of_distinct_threads(group))
        for number, group in groupby(parts, key=lambda part: part.execution)
    ]
    complete = [(number, group) for number, group in groups if _is_whole(group)]
    ends = [*(number for number, _ in complete[1:]), total + 1][: len(complete)]
    return [
        _execution(number, max(1, end - number), group, event)
        for (number, group), end in zip(complete, ends, strict=True)
    ]


def _of_distinct_threads(parts: Iterable[LoopIterations]) -> list[LoopIterations]:
    """Return one part for each thread: the first, where another location carried on."""
    return list({part.tid: part for part in reversed(list(parts))}.values())


def _is_whole(parts: Sequence[LoopIterations]) -> bool:
    return all(part.end is not None for part in parts) and any(part.bins for part in parts)


def _execution(
    number: int, weight: int, parts: Sequence[LoopIterations], event: float
) -> LoopExecution:
    rows = sorted(
        (value, part.tid, count, spent) for part in parts for value, count, spent in part.bins
    )
    descends = sum(len(part.bins) for part in parts if part.descends)
    if 2 * descends > len(rows):
        rows.reverse()
    values = np.array([row[0] for row in rows], np.int64)
    tids = np.array([row[1] for row in rows], np.int64)
    counts = np.array([row[2] for row in rows], np.int64)
    seconds = _net(np.array([row[3] for row in rows]), counts, event)
    busy = tuple(_busy(parts, event))
    curve = curve_of(counts, seconds)
    return LoopExecution(number, weight, curve, busy, values, tids, counts, seconds)


def _net(seconds: Floats, counts: Integers, event: float) -> Floats:
    """Return the seconds without the events of the iterations."""
    return np.maximum(seconds - counts * event, 0.0)


def _busy(parts: Iterable[LoopIterations], event: float) -> Iterator[float]:
    for part in sorted(parts, key=lambda part: part.tid):
        yield sum(max(0.0, spent - count * event) for _, count, spent in part.bins)


def curve_of(counts: npt.ArrayLike, seconds: npt.ArrayLike) -> CostCurve:
    """Return the curve of bins in the order of the iterations."""
    return CostCurve(
        np.concatenate([[0.0], np.cumsum(counts, dtype=np.float64)]),
        np.concatenate([[0.0], np.cumsum(seconds, dtype=np.float64)]),
    )
