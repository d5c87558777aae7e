"""The profile's MPI columns, computed from the trace: the same sums by call path and location."""

from __future__ import annotations

import numpy as np

from pomp_clang.experiment.layout import MPI_COLUMNS
from pomp_clang.mpi.function import BEGIN_AND_END
from pomp_clang.mpi.variants import NUMBERS
from pomp_clang.trace.model import Stream
from pomp_clang.trace.mpi.columns import NONE
from pomp_clang.trace.mpi.layout import (
    COLLECTIVES_SHIFT,
    COUNTED,
    RECEIVES_SHIFT,
)
from pomp_clang.trace.mpi.operations import calls_of

_INIT = [NUMBERS[f"MPI_{name}"] for name in BEGIN_AND_END]
_COUNT = (1 << RECEIVES_SHIFT) - 1


def sums(stream: Stream, end: int) -> dict[int, list[int]]:
    """Return `layout.MPI_COLUMNS` by call path, where any is not 0."""
    visits, operations = calls_of(stream, end)
    counted = np.isin(operations.state, COUNTED)
    outermost = np.flatnonzero(visits.outer == NONE)
    duration = np.maximum(0, visits.leave - visits.enter)
    duration[(visits.ended == 0) & (np.arange(len(duration)) < outermost[-1:].sum())] = 0
    counts = operations.counts
    size = 1 + int(max(visits.path.max(initial=0), operations.path.max(initial=0)))
    result = np.zeros((size, MPI_COLUMNS), np.int64)
    np.add.at(result[:, 0], visits.path[outermost], duration[outermost])
    of_init = outermost[np.isin(visits.function[outermost], _INIT)]
    np.add.at(result[:, 6], visits.path[of_init], duration[of_init])
    for column, values in (
        (1, operations.bytes_in),
        (2, operations.bytes_out),
        (3, counts >> RECEIVES_SHIFT & _COUNT),
        (4, counts & _COUNT),
        (5, counts >> COLLECTIVES_SHIFT & (_COUNT >> 1)),
    ):
        np.add.at(result[:, column], operations.path[counted], values[counted])
    return {int(path): result[path].tolist() for path in np.flatnonzero(result.any(axis=1))}
