"""What MPI's calls count for: messages, operations and bytes."""

from __future__ import annotations

from typing import ClassVar

from pomp_clang.causes.instance_sources import Pieces
from pomp_clang.causes.mpi.count import Count
from pomp_clang.causes.mpi.instances import counting
from pomp_clang.causes.properties.time import Synchronizations
from pomp_clang.causes.property import Property
from pomp_clang.causes.run import Cells, Run


class Counting(Property):
    """A property that is what calls count for."""

    counts: ClassVar[tuple[Count, ...]]

    def severity(self, run: Run) -> Cells:
        return run.counted(*self.counts)

    def instances(self, run: Run) -> Pieces:
        return counting(run, *self.counts)


class MpiSynchronizations(Counting):
    name = "MPI Synchronizations"
    parent = Synchronizations
    unit = "times"
    description = "Barriers of MPI, and calls that open and close windows."
    counts = (Count.SYNCHRONIZATIONS,)


class Messages(Counting):
    name = "Messages"
    unit = "messages"
    description = "How many messages were sent and received."
    counts = (Count.SENT, Count.RECEIVED)


class MessagesSent(Counting):
    name = "Sent"
    parent = Messages
    unit = "messages"
    description = "How many messages were sent."
    counts = (Count.SENT,)


class MessagesReceived(Counting):
    name = "Received"
    parent = Messages
    unit = "messages"
    description = "How many messages were received."
    counts = (Count.RECEIVED,)


class CollectiveOperations(Counting):
    name = "Collective Operations"
    unit = "times"
    description = "How often processes took part in an operation that moves data between all."
    counts = (Count.COLLECTIVES,)


class Bytes(Counting):
    name = "Bytes"
    unit = "bytes"
    description = "How many bytes MPI moved from process to process."
    counts = (
        Count.BYTES_SENT, Count.BYTES_RECEIVED, Count.BYTES_OUT, Count.BYTES_IN,
        Count.BYTES_ACCESSED,
    )  # fmt: skip


class BytesSent(Counting):
    name = "Sent"
    parent = Bytes
    unit = "bytes"
    description = "How many bytes were sent in messages."
    counts = (Count.BYTES_SENT,)


class BytesReceived(Counting):
    name = "Received"
    parent = Bytes
    unit = "bytes"
    description = "How many bytes were received in messages."
    counts = (Count.BYTES_RECEIVED,)


class BytesOut(Counting):
    name = "Collective, out"
    parent = Bytes
    unit = "bytes"
    description = "How many bytes left processes in collective operations."
    counts = (Count.BYTES_OUT,)


class BytesIn(Counting):
    name = "Collective, in"
    parent = Bytes
    unit = "bytes"
    description = "How many bytes reached processes in collective operations."
    counts = (Count.BYTES_IN,)


class BytesAccessed(Counting):
    name = "One-sided"
    parent = Bytes
    unit = "bytes"
    description = "How many bytes were read from windows of others, and written to them."
    counts = (Count.BYTES_ACCESSED,)
