"""What a location recorded, piece by piece: for who goes through it once."""

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
class Piece:
    """Columns as those of a `Stream`, of some events; `value_row` counts from the first of them."""

    time: Ints
    op: Ops
    path: Paths
    value_row: Ints
    values: Ints

    def through(self, run: kernel.Replaying) -> int:
        run.events, run.value_count = len(self.op), len(self.values)
        kernel.point(run, "time", self.time)
        kernel.point(run, "op", self.op)
        kernel.point(run, "path", self.path)
        kernel.point(run, "value_row", self.value_row)
        kernel.point(run, "value", self.values)
        return int(kernel.load().pomp_replay(ctypes.byref(run)))


class AnyPiece(Protocol):
    """Some events, of which there may be no columns."""

    def through(self, run: kernel.Replaying) -> int:
        """Runs through them; returns one of the kernel's errors, which the run says more of."""


@dataclass(frozen=True, slots=True)
class Parts:
    """`counts` says how often each operation is there, `largest` is no less than any call path."""

    location: int
    counts: Counts
    largest: int
    pieces: Iterator[AnyPiece]


def parts_of(trace: Trace) -> Iterator[Parts]:
    """Of each location; raises ExperimentError where it cannot be read.  Streams that can be had piece
    by piece have a method of this: `parts`."""
    in_parts: Callable[[], Iterator[Parts]] | None = getattr(trace.streams, "parts", None)
    if in_parts:
        yield from in_parts()
    else:
        for stream in trace.streams:
            yield whole(stream)


def whole(stream: Stream) -> Parts:
    """In one piece."""
    piece = Piece(
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
    return Parts(stream.location, counts, largest, iter((piece,)))
