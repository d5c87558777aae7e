"""A trace as later phases see it: times are ticks, and columns have a row for each event; and a
time window of a run, as the user asked for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np
import numpy.typing as npt

from pomp_clang.experiment.records import Records
from pomp_clang.shared_dataclass import dataclass

Ints = npt.NDArray[np.int64]
Ops = npt.NDArray[np.uint8]
Paths = npt.NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class Stream:
    """The events of one location, in its order.

    `op` are numbers of `layout.Op`, `path` call paths as in `Records.paths`, 0 for none. Few events
    have values: `value_row` names the event of each of `values`. After the last event `lost` events
    were not recorded, the first of them at `lost_since`.
    """

    location: int
    time: Ints
    op: Ops
    path: Paths
    value_row: Ints
    values: Ints
    lost: int = 0
    lost_since: int = 0

    def values_of(self, rows: Ints, number: int | Ints = 0) -> tuple[Ints, npt.NDArray[np.bool_]]:
        """Return value number `number` of some events, and which of these events have one."""
        first = np.searchsorted(self.value_row, rows) + number
        within = np.minimum(first, max(0, len(self.value_row) - 1))
        if not len(self.value_row):
            return np.zeros(len(rows), np.int64), np.zeros(len(rows), np.bool_)
        has = (first < len(self.value_row)) & (self.value_row[within] == rows)
        return np.where(has, self.values[within], 0), has


class Streams(Protocol):
    """The streams of a trace's locations; each is read when it is asked for, and not kept."""

    def __iter__(self) -> Iterator[Stream]: ...


@dataclass(frozen=True, slots=True)
class Trace:
    """One process's run: the profile's records, and the streams of its locations. `end` is ticks;
    frames open then had not ended."""

    directory: str
    records: Records
    end: int
    streams: Streams


Window = tuple[float, float]
"""Seconds since the program's start; the second is infinity where it has no end."""


class WindowError(Exception):
    """A window without any of the run; the message is one line."""


def phrase_of(window: Window) -> str:
    """Return a window in words, as "from 1.5 s to 2 s"."""
    since, until = window
    return f"from {since:g} s on" if until == float("inf") else f"from {since:g} s to {until:g} s"


def within(window: Window, duration: float) -> Window:
    """Return the part of a window that lies in a run of this duration. Raises WindowError if there
    is none."""
    since, until = window[0], min(window[1], duration)
    if window[0] >= window[1]:
        raise WindowError(f"{phrase_of(window)} there is nothing: that ends before it begins")
    if since >= until:
        raise WindowError(f"{phrase_of(window)} there is nothing: the program took {duration:g} s")
    return since, until
