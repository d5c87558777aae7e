"""Instances of a property, as columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.mpi_waits.call_waits import NOBODY
from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace.model import Ints

Column = npt.NDArray[Any]

_PIECE = 1 << 16

LEAST = 1 << 16
"""Instances to process at a time, at least: each piece has a fixed cost."""


@dataclass(frozen=True, slots=True)
class Instances:
    """A row for each instance of a property: on `thread`, at `path` (rows of the run's), from
    `begin` to `end` in ticks, with `severity` in the property's unit. `partner` is a row of the
    job's MPI calls, -1 for none: for a wait the awaited call, for a delay the waiting one.
    `partner` is None if no instance has one."""

    thread: Column
    path: Column
    begin: Ints
    end: Ints
    severity: npt.NDArray[np.float64]
    partner: Ints | None = None

    def take(self, rows: Ints) -> Instances:
        """Return the instances of the given rows."""
        partner = None if self.partner is None else self.partner[rows]
        return Instances(
            self.thread[rows], self.path[rows], self.begin[rows], self.end[rows],
            self.severity[rows], partner,
        )  # fmt: skip

    @property
    def partners(self) -> Ints:
        return np.full(len(self.severity), NOBODY) if self.partner is None else self.partner


def joined(parts: Iterable[Instances]) -> Instances:
    """Concatenate instances in the given order; `partner` is None if it is None in all of them."""
    tables = list(parts)
    if len(tables) == 1:
        return tables[0]
    none = np.zeros(0, np.int64)
    severity = np.concatenate([np.zeros(0), *(instances.severity for instances in tables)])
    thread, path = (
        np.concatenate([none, *(getattr(instances, name) for instances in tables)], dtype=np.int32)
        for name in ("thread", "path")
    )
    begin, end = (
        np.concatenate([none, *(getattr(instances, name) for instances in tables)])
        for name in ("begin", "end")
    )
    if all(instances.partner is None for instances in tables):
        return Instances(thread, path, begin, end, severity)
    partner = np.concatenate([instances.partners for instances in tables])
    return Instances(thread, path, begin, end, severity, partner)


def in_pieces(rows: Ints) -> Iterator[Ints]:
    """Yield some rows at a time, so that computed columns need little memory."""
    for first in range(0, len(rows), _PIECE):
        yield rows[first : first + _PIECE]


def piece_of(
    second: int, thread: Column | int, path: Column, begin: Ints, end: Ints, ticks: Column
) -> Instances:
    """Build the instances that have any ticks; `second` ticks are one second."""
    is_any = ticks > 0
    at = np.broadcast_to(np.asarray(thread), ticks.shape)
    if is_any.all():
        return Instances(at, path, begin, end, ticks / second)
    rows = np.flatnonzero(is_any)
    at = at[rows] if np.ndim(thread) else np.broadcast_to(np.asarray(thread), rows.shape)
    return Instances(at, path[rows], begin[rows], end[rows], ticks[rows] / second)
