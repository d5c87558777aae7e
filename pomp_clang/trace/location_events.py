"""A location's events piece by piece, for a reader that goes through them once."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from pomp_clang.trace import kernel
from pomp_clang.trace.model import Ints, Ops, Paths, Stream, Trace

Counts = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class EventPiece:
    """Some events as columns like those of a `Stream`; `value_row` counts from the first of them."""

    time: Ints
    op: Ops
    path: Paths
    value_row: Ints
    values: Ints

    def through(self, run: kernel.Replaying) -> int:
        """Replay the events; return the kernel's error."""
        run.events, run.value_count = len(self.op), len(self.values)
        kernel.point(run, "time", self.time)
        kernel.point(run, "op", self.op)
        kernel.point(run, "path", self.path)
        kernel.point(run, "value_row", self.value_row)
        kernel.point(run, "value", self.values)
        return int(kernel.load().pomp_replay(ctypes.byref(run)))


class AnyPiece(Protocol):
    """Some events, which need not be columns yet."""

    def through(self, run: kernel.Replaying) -> int:
        """Replay the events; return the kernel's error, whose details stand in `run`."""


@dataclass(frozen=True, slots=True)
class LocationEvents:
    """The events of a location. `counts` has the number of events of each operation, `largest` is
    at least every call path."""

    location: int
    counts: Counts
    largest: int
    pieces: Iterator[AnyPiece]


def location_events_of(trace: Trace) -> Iterator[LocationEvents]:
    """Yield each location's events, piece by piece where the streams have a method
    `location_events`.

    Raises ExperimentError if a location cannot be read.
    """
    in_parts: Callable[[], Iterator[LocationEvents]] | None = getattr(
        trace.streams, "location_events", None
    )
    if in_parts:
        yield from in_parts()
    else:
        for stream in trace.streams:
            yield in_one_piece(stream)


def in_one_piece(stream: Stream) -> LocationEvents:
    """Return a stream's events as one piece."""
    piece = EventPiece(
        np.ascontiguousarray(stream.time, np.int64),
        np.ascontiguousarray(stream.op, np.uint8),
        np.ascontiguousarray(stream.path, np.uint16),
        np.ascontiguousarray(stream.value_row, np.int64),
        np.ascontiguousarray(stream.values, np.int64),
    )
    counts = np.zeros(kernel.OPERATIONS, np.uint64)
    largest = kernel.load().pomp_replay_count(
        len(piece.op), piece.op.ctypes.data, piece.path.ctypes.data, counts.ctypes.data
    )
    return LocationEvents(stream.location, counts, largest, iter((piece,)))
