"""Points of locations at which threads wait for each other."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.trace.model import Ints


class Point(IntEnum):
    """A kind of point. Points before `BEGIN` release others: each is a moment of its object."""

    FORK = 0
    """object: team"""
    ARRIVE = 1
    """object: barrier instance; an arrival that no other thread needs releases nothing"""
    RELEASE = 2
    """object: a lock or critical that was acquired, as `Contention` has it"""
    DONE = 3
    """the last task that a member ran in a barrier is done, object: the barrier instance; or
    an awaited action is done, object: the wait"""
    BEGIN = 4
    """a member begins the region; needs the fork"""
    PASS = 5
    """a barrier is left; needs all arrivals, and the tasks run in it to be done"""
    ACQUIRED = 6
    """a lock is acquired; needs the release before, where there is one"""
    WAITED = 7
    """a wait for a task or a turn is over, object: that wait"""


POINT_COLUMNS = {
    "object": np.int32, "path": np.uint16, "before": np.int64, "after": np.int64,
    "lag": np.float64, "place": np.int32,
}  # fmt: skip
"""The columns of `PointRows` after `kind`, and their types."""


@dataclass(frozen=True, slots=True)
class PointRows:
    """Points of one kind on a location, which reaches them at `before` and leaves them at `after`.
    At the same moment, the point with the lower `place` comes first."""

    kind: Point
    object: npt.NDArray[Any]
    path: npt.NDArray[Any]
    before: Ints
    after: Ints
    lag: npt.NDArray[Any]
    place: npt.NDArray[Any]

    def take(self, rows: Ints) -> PointRows:
        """Return the points of the given rows."""
        return PointRows(self.kind, *(getattr(self, name)[rows] for name in POINT_COLUMNS))
