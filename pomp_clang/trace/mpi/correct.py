"""The logical correction: no message of the job is received before it was sent.

Between clocks that differ, moments move forward until each message and each collective operation
goes forward in time (runtime/replay/ordered.c). Times between corrected moments move linearly. All
threads of a process move together.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.experiment import ExperimentError
from pomp_clang.mpi.variants import NAMES
from pomp_clang.trace import kernel
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.clocks import Scale
from pomp_clang.trace.mpi.columns import CallColumns, CollectiveColumns, Correction, MessageColumns

Flags = npt.NDArray[np.bool_]

LATENCY = 1
"""ns that a message takes at least."""

_ALL = ("Barrier", "Bcast", "Gather", "Gatherv", "Scatter", "Scatterv", "Allgather", "Allgatherv",
        "Alltoall", "Reduce", "Allreduce", "Reduce_scatter_block", "Reduce_scatter")  # fmt: skip
"""Operations in which each receiver waits for all senders, in their blocking and other forms."""


class _Ordering(ctypes.Structure):
    _fields_ = kernel.members(
        "PROCESSES", "first", "time", "meeting", "is_sink", "MEETINGS", "sources", "latest",
        "earliest", "LATENCY", "shift", "FORCED",
    )  # fmt: skip


_LONGEST = 1 << 62
_YEAR = 365 * 86400 * 10**9
"""ns"""


@dataclass(frozen=True, slots=True, eq=False)
class ClockMoments:
    """Moments that are compared; `process` is a row of the job's, and the sources and sinks of a
    meeting share its number."""

    process: Ints
    time: Ints
    meeting: Ints
    is_sink: Ints


def forms(name: str) -> set[int]:
    """Return the numbers of the functions that are forms of a collective operation."""
    immediate = f"I{name.lower()}"
    names = {
        f"MPI_{form}{size}" for form in (name, immediate, f"{name}_init") for size in ("", "_c")
    }
    return {number for number, number_ in enumerate(NAMES) if number_ in names}


def correct(
    scales: list[Scale], machine: Ints, process: Ints, calls: CallColumns, messages: MessageColumns,
    collectives: CollectiveColumns, ticks: tuple[Ints, Ints],
) -> tuple[list[Scale], Correction]:  # fmt: skip
    """Return corrected scales, and the correction's effect.

    `machine` is a number for each process, equal for a shared clock; `process` is the row of each
    call's process, `ticks` are its enter and leave.
    """
    moments, rows, is_leave = _moments(machine, process, calls, messages, collectives)
    backwards = count_backwards(calls, messages)
    if not len(moments.time):
        return scales, Correction(backwards)
    shift = shifted(moments, len(scales))
    moved = np.where(is_leave, ticks[1][rows], ticks[0][rows])
    corrected = [
        _with_shift(scale, moved[own_rows], shift[own_rows])
        for scale, own_rows in ((s, moments.process == p) for p, s in enumerate(scales))
    ]
    return corrected, Correction(backwards, int((shift > 0).sum()), int(shift.max()))


def count_backwards(calls: CallColumns, messages: MessageColumns) -> int:
    """Count the messages that were received before they were sent."""
    known = messages.received >= 0
    sent, received = calls.enter[messages.send[known]], calls.leave[messages.received[known]]
    return int((received < sent).sum())


def _with_shift(scale: Scale, ticks: Ints, shift: Ints) -> Scale:
    """Return a scale with the shift at those moments where it bends."""
    if not shift.any():
        return scale
    last = np.append(ticks[1:] != ticks[:-1], True)
    ticks, shift = ticks[last], shift[last]
    even = np.zeros(len(ticks), np.bool_)
    even[1:-1] = (shift[1:-1] == shift[:-2]) & (shift[1:-1] == shift[2:])
    return replace(scale, ticks=ticks[~even], shift=shift[~even])


def _moments(
    machine: Ints,
    process: Ints,
    calls: CallColumns,
    messages: MessageColumns,
    collectives: CollectiveColumns,
) -> tuple[ClockMoments, Ints, Flags]:
    """Return the moments of messages and operations between clocks, the call of each, and whether
    the moment is the call's end."""
    known = messages.received >= 0
    send, received = messages.send[known], messages.received[known]
    is_remote = machine[process[send]] != machine[process[received]]
    send, received = send[is_remote], received[is_remote]
    number = np.arange(len(send))
    sources, sinks, meeting = _meetings(machine, process, collectives)
    rows = np.concatenate([send, received, collectives.call[sources], collectives.completed[sinks]])
    sizes = [len(send), len(received), len(sources), len(sinks)]
    is_sink = np.repeat(np.array([0, 1, 0, 1]), sizes)
    meetings = np.concatenate(
        [number, number, len(send) + meeting[sources], len(send) + meeting[sinks]]
    )
    time = np.where(is_sink > 0, calls.leave[rows], calls.enter[rows])
    order = np.lexsort((-is_sink, time, process[rows]))
    moments = ClockMoments(process[rows][order], time[order], meetings[order], is_sink[order])
    return moments, rows[order], is_sink[order] > 0


def _meetings(
    machine: Ints, process: Ints, collectives: CollectiveColumns
) -> tuple[Ints, Ints, Ints]:
    """Return the rows of collectives that others wait for, the rows that wait, and the number of
    each row's meeting."""
    function = collectives.function
    known = np.isin(function, [number for name in _ALL for number in forms(name)])
    is_barrier = np.isin(function, list(forms("Barrier")))
    machines = machine[process[collectives.call]]
    meeting = collectives.instance
    size = int(meeting.max(initial=-1)) + 1
    lowest, highest = np.full(size, len(machine)), np.full(size, -1)
    np.minimum.at(lowest, meeting, machines)
    np.maximum.at(highest, meeting, machines)
    known &= (highest > lowest)[meeting]
    sources = np.flatnonzero(known & (is_barrier | (collectives.bytes_out > 0)))
    is_completed = collectives.completed >= 0
    sinks = np.flatnonzero(known & is_completed & (is_barrier | (collectives.bytes_in > 0)))
    return sources, sinks, meeting


def shifted(moments: ClockMoments, processes: int) -> Ints:
    """Return the ns by which each moment is moved.

    Raises ExperimentError if moments are too far apart, or do not fit the memory.
    """
    span = int(moments.time.max()) - int(moments.time.min())
    if processes * span >= _LONGEST:
        raise ExperimentError(
            f"calls of MPI are {span // _YEAR} years apart: a trace of the job is damaged, analyse "
            "the others one by one"
        )
    count = int(moments.meeting.max()) + 1
    sources = np.bincount(moments.meeting[moments.is_sink == 0], minlength=count).astype(np.int64)
    shift = np.zeros(len(moments.time), np.int64)
    columns: dict[str, npt.NDArray[Any]] = {
        "first": np.searchsorted(moments.process, np.arange(processes + 1)).astype(np.uint64),
        "time": np.ascontiguousarray(moments.time, np.int64),
        "meeting": moments.meeting.astype(np.uint32),
        "is_sink": moments.is_sink.astype(np.uint8),
        "sources": sources,
        "latest": np.empty(count, np.int64),
        "earliest": np.empty(count, np.int64),
        "shift": shift,
    }
    run = _Ordering(processes=processes, meetings=count, latency=LATENCY)
    for name, column in columns.items():
        kernel.point(run, name, column)
    library = kernel.load()
    library.pomp_order.argtypes = [ctypes.c_void_p]
    if library.pomp_order(ctypes.byref(run)):
        raise ExperimentError(
            f"{len(moments.time)} moments of MPI do not fit the memory: record less of the program"
        )
    return shift
