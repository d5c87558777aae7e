"""Counts of MPI calls: messages, operations and bytes."""

from __future__ import annotations

from typing import ClassVar

from pomp_clang.causes.mpi_waits.call_counts import CallCount
from pomp_clang.causes.properties.instance_sources import Pieces
from pomp_clang.causes.properties.mpi_instances import counting
from pomp_clang.causes.properties.property import Property
from pomp_clang.causes.properties.time import Synchronizations
from pomp_clang.causes.run.run import Cells, Run


class MpiCount(Property):
    """A property that is what calls count for."""

    counts: ClassVar[tuple[CallCount, ...]]

    def severity(self, run: Run) -> Cells:
        return run.counted(*self.counts)

    def instances(self, run: Run) -> Pieces:
        return counting(run, *self.counts)


class MpiSynchronizations(MpiCount):
    name = "MPI Synchronizations"
    parent = Synchronizations
    unit = "times"
    description = "Barriers of MPI, and calls that open and close windows."
    counts = (CallCount.SYNCHRONIZATIONS,)


class MessageCount(MpiCount):
    name = "Messages"
    unit = "messages"
    description = "How many messages were sent and received."
    counts = (CallCount.SENT, CallCount.RECEIVED)


class MessagesSent(MpiCount):
    name = "Sent"
    parent = MessageCount
    unit = "messages"
    description = "How many messages were sent."
    counts = (CallCount.SENT,)


class MessagesReceived(MpiCount):
    name = "Received"
    parent = MessageCount
    unit = "messages"
    description = "How many messages were received."
    counts = (CallCount.RECEIVED,)


class CollectiveOperations(MpiCount):
    name = "Collective Operations"
    unit = "times"
    description = "How often processes took part in an operation that moves data between all."
    counts = (CallCount.COLLECTIVES,)


class Bytes(MpiCount):
    name = "Bytes"
    unit = "bytes"
    description = "How many bytes MPI moved from process to process."
    counts = (
        CallCount.BYTES_SENT, CallCount.BYTES_RECEIVED, CallCount.BYTES_OUT, CallCount.BYTES_IN,
        CallCount.BYTES_ACCESSED,
    )  # fmt: skip


class BytesSent(MpiCount):
    name = "Sent"
    parent = Bytes
    unit = "bytes"
    description = "How many bytes were sent in messages."
    counts = (CallCount.BYTES_SENT,)


class BytesReceived(MpiCount):
    name = "Received"
    parent = Bytes
    unit = "bytes"
    description = "How many bytes were received in messages."
    counts = (CallCount.BYTES_RECEIVED,)


class BytesOut(MpiCount):
    name = "Collective, out"
    parent = Bytes
    unit = "bytes"
    description = "How many bytes left processes in collective operations."
    counts = (CallCount.BYTES_OUT,)


class BytesIn(MpiCount):
    name = "Collective, in"
    parent = Bytes
    unit = "bytes"
    description = "How many bytes reached processes in collective operations."
    counts = (CallCount.BYTES_IN,)


class BytesAccessed(MpiCount):
    name = "One-sided"
    parent = Bytes
    unit = "bytes"
    description = "How many bytes were read from other processes' windows, and written to them."
    counts = (CallCount.BYTES_ACCESSED,)
