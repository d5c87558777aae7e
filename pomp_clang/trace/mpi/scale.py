"""Conversion of a process's ticks to the job's ns."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import Clock


def _no_shift() -> Ints:
    return np.zeros(1, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Scale:
    """A line from ticks to ns: `start` ns at `origin` ticks, then `pace` ns each tick.

    The logical correction adds `shift` ns at some `ticks`, and linearly between them.
    """

    origin: int
    start: int
    pace: float
    clock: Clock
    ticks: Ints = field(default_factory=_no_shift)
    shift: Ints = field(default_factory=_no_shift)

    def straight(self, ticks: Ints) -> Ints:
        """Convert ticks to ns without the correction."""
        ns: Ints = self.start + np.rint((ticks - self.origin) * self.pace).astype(np.int64)
        return ns

    def at(self, ticks: Ints) -> Ints:
        """Convert ticks to ns with the correction."""
        first = self.ticks[0]
        shift = np.interp(ticks - first, self.ticks - first, self.shift)
        ns: Ints = self.straight(ticks) + np.rint(shift).astype(np.int64)
        return ns

    def bends(self, begin: int, end: int) -> tuple[Ints, Ints]:
        """Return two or more moments between which the scale is linear: their ticks and their ns."""
        ends = np.array([begin, max(end, begin + round(1e9 / self.pace))], np.int64)
        moments = self.ticks if self.shift.any() else ends
        ticks = np.unique(np.concatenate([ends, moments]))
        return ticks, self.at(ticks)
