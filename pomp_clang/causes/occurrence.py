"""Instances of a property, as columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.mpi.waits import NOBODY
from pomp_clang.causes.run import Run
from pomp_clang.trace.model import Ints

Column = npt.NDArray[Any]

_PIECE = 1 << 14


@dataclass(frozen=True, slots=True)
class Occurrences:
    """A row for each instance: on `thread`, at `path`, both rows of the run's, from `begin` to
    `end` in ticks; `severity` in the property's unit.  `partner` is a row of the job's calls of
    MPI, -1 for none: of a wait that which is waited for, of a delay that which waits.  It is None
    where no instance has any."""

    thread: Column
    path: Column
    begin: Ints
    end: Ints
    severity: npt.NDArray[np.float64]
    partner: Ints | None = None

    def take(self, rows: Ints) -> Occurrences:
        """Some of them."""
        partner = None if self.partner is None else self.partner[rows]
        return Occurrences(
            self.thread[rows], self.path[rows], self.begin[rows], self.end[rows],
            self.severity[rows], partner,
        )  # fmt: skip

    @property
    def partners(self) -> Ints:
        return np.full(len(self.severity), NOBODY) if self.partner is None else self.partner


def joined(several: Iterable[Occurrences]) -> Occurrences:
    """All rows, in the order given; `partner` is None where it is None in all."""
    kept = list(several)
    if len(kept) == 1:
        return kept[0]
    none = np.zeros(0, np.int64)
    severity = np.concatenate([np.zeros(0), *(each.severity for each in kept)])
    thread, path = (
        np.concatenate([none, *(getattr(each, name) for each in kept)], dtype=np.int32)
        for name in ("thread", "path")
    )
    begin, end = (
        np.concatenate([none, *(getattr(each, name) for each in kept)]) for name in ("begin", "end")
    )
    if all(each.partner is None for each in kept):
        return Occurrences(thread, path, begin, end, severity)
    partner = np.concatenate([each.partners for each in kept])
    return Occurrences(thread, path, begin, end, severity, partner)


def in_pieces(rows: Ints) -> Iterator[Ints]:
    """Some rows at a time: what is computed of these is small, however many there are."""
    for first in range(0, len(rows), _PIECE):
        yield rows[first : first + _PIECE]


def piece_of(
    run: Run, thread: Column | int, path: Column, begin: Ints, end: Ints, ticks: Column
) -> Occurrences:
    """Those that have any ticks."""
    is_any = ticks > 0
    at = np.broadcast_to(np.asarray(thread), ticks.shape)
    if is_any.all():
        return Occurrences(at, path, begin, end, ticks / run.second)
    rows = np.flatnonzero(is_any)
    at = at[rows] if np.ndim(thread) else np.broadcast_to(np.asarray(thread), rows.shape)
    return Occurrences(at, path[rows], begin[rows], end[rows], ticks[rows] / run.second)
