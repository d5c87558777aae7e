"""MPI: what its calls take, and what processes wait in them for each other."""

from __future__ import annotations

from typing import ClassVar

from pomp_clang.causes.mpi_waits.call_waits import WaitState
from pomp_clang.causes.properties.instance_sources import Pieces
from pomp_clang.causes.properties.mpi_instances import in_state
from pomp_clang.causes.properties.property import Property, Remedy
from pomp_clang.causes.properties.time import Execution
from pomp_clang.causes.run.run import Cells, Run
from pomp_clang.causes.timeline.activity import IN_MPI, Activity


class MpiTime(Property):
    name = "MPI"
    parent = Execution
    description = "Time in MPI calls."
    activities = IN_MPI


def waits_in_mpi(run: Run) -> Cells:
    """Return the seconds that MPI calls wait for other processes."""
    if run.mpi is None:
        return run.cells()
    waits = run.mpi.waits.for_others()
    return run.of_calls(waits.call, waits.ns / 1e9)


class Communication(Property):
    name = "Communication"
    parent = MpiTime
    description = "Calls that move data from process to process."
    activities = (Activity.POINT_TO_POINT, Activity.COLLECTIVE, Activity.ONE_SIDED)


class PointToPoint(Property):
    name = "Point-to-point"
    parent = Communication
    description = "Calls that send or receive messages, and those that wait for them."
    activities = (Activity.POINT_TO_POINT,)


class Waiting(Property):
    """A property that is the time that calls wait in one state."""

    state: ClassVar[WaitState]
    remedy = Remedy.IN_TIME

    def severity(self, run: Run) -> Cells:
        if run.mpi is None:
            return run.cells()
        waits = run.mpi.waits.of(self.state)
        return run.of_calls(waits.call, waits.ns / 1e9)

    def instances(self, run: Run) -> Pieces:
        return in_state(run, self.state)


_ORDER = (
    "Receive the message that was sent first (MPI_ANY_SOURCE, MPI_Waitany), or send messages in "
    "the order in which they are received."
)


class LateSender(Waiting):
    """min(enter send, leave receive) - enter receive, where that is above 0 (EXPERT)."""

    name = "Late Sender"
    parent = PointToPoint
    state = WaitState.LATE_SENDER
    remedy = Remedy.IN_TIME_OR_SHARE
    description = "The receiver waits for a message that its sender has not begun to send."
    advice = (
        "Send earlier, give the sender less to do before, or do other work until the message "
        "arrives: MPI_Irecv early, MPI_Wait late."
    )


class LateSenderOrder(Waiting):
    """The part of Late Sender in which an older message lay there for the receiver (EXPERT)."""

    name = "Messages in Wrong Order"
    parent = LateSender
    state = WaitState.LATE_SENDER_ORDER
    description = "Meanwhile an older message has arrived, which is received only later."
    advice = _ORDER


class LateReceiver(Waiting):
    """Enter receive - enter send, unless the send left before (EXPERT)."""

    name = "Late Receiver"
    parent = PointToPoint
    state = WaitState.LATE_RECEIVER
    remedy = Remedy.IN_TIME_OR_SHARE
    description = "The sender waits as the receiver has not begun to receive the message."
    advice = (
        "Receive earlier (MPI_Irecv before the work), give the receiver less to do before, or send "
        "by MPI_Isend and do other work meanwhile."
    )


class LateReceiverOrder(Waiting):
    """The part of Late Receiver in which an older message lay there for the receiver (EXPERT)."""

    name = "Messages in Wrong Order"
    parent = LateReceiver
    state = WaitState.LATE_RECEIVER_ORDER
    description = "The receiver also leaves an older message unreceived."
    advice = _ORDER


class Collective(Property):
    name = "Collective"
    parent = Communication
    description = "Calls in which all processes of a communicator exchange data."
    activities = (Activity.COLLECTIVE,)


_BALANCE = "Distribute the work before the call more evenly, or use MPI_I... and complete it later."


class EarlyReduce(Waiting):
    """At the root: last sender's enter - own enter, where that is above 0 (EXPERT)."""

    name = "Early Reduce"
    parent = Collective
    state = WaitState.EARLY_REDUCE
    remedy = Remedy.IN_TIME_OR_SHARE
    description = "The root waits for the last process that sends to it."
    advice = _BALANCE


class EarlyScan(Waiting):
    name = "Early Scan"
    parent = Collective
    state = WaitState.EARLY_SCAN
    remedy = Remedy.IN_TIME_OR_SHARE
    description = "A process waits for processes of lower rank."
    advice = _BALANCE


class LateBroadcast(Waiting):
    """The root's enter - own enter, where that is above 0 (EXPERT)."""

    name = "Late Broadcast"
    parent = Collective
    state = WaitState.LATE_BROADCAST
    remedy = Remedy.IN_TIME_OR_SHARE
    description = "Processes wait for the root, which has the data."
    advice = (
        "Give the root less to do before, or begin it (MPI_Ibcast) and do other work meanwhile."
    )


class WaitAtNxN(Waiting):
    """The last one's enter - own enter (EXPERT)."""

    name = "Wait at NxN"
    parent = Collective
    state = WaitState.NXN
    remedy = Remedy.SHARE
    description = "Each process needs the data of all others, and waits for the last one to arrive."
    advice = _BALANCE


class NxNCompletion(Waiting):
    """Own leave - the first one's leave (Scalasca)."""

    name = "NxN Completion"
    parent = Collective
    state = WaitState.NXN_COMPLETION
    remedy = Remedy.SHORTEN
    description = "The first process has left the operation, this one has not."
    advice = "Move less data, or more data in fewer operations."


class OneSidedTime(Property):
    name = "One-sided"
    parent = Communication
    description = "Calls that read and write other processes' windows, and those that open them."
    activities = (Activity.ONE_SIDED,)


class WaitAtFence(Waiting):
    name = "Wait at Fence"
    parent = OneSidedTime
    state = WaitState.FENCE
    remedy = Remedy.SHARE
    description = "Processes wait at a fence for the last one to arrive."
    advice = "Distribute the work more evenly, or synchronize only the processes concerned: MPI_Win_post."


class LatePost(Waiting):
    name = "Late Post"
    parent = OneSidedTime
    state = WaitState.LATE_POST
    description = "A process waits to use a window that its owner has not posted."
    advice = "Post the window before other work, or start to use it later."


class EarlyWait(Waiting):
    name = "Early Wait"
    parent = OneSidedTime
    state = WaitState.EARLY_WAIT
    description = "The owner of a window waits for processes that have not completed their access."
    advice = "Complete right after the last put or get, and wait later."


class WindowLock(Waiting):
    name = "Wait for Lock"
    parent = OneSidedTime
    state = WaitState.LOCK
    description = "A process waits for a window while another one holds a lock that excludes it."
    advice = "Hold the lock for a shorter time, use a shared lock, or split the window."


class FileIO(Property):
    name = "File I/O"
    parent = MpiTime
    description = "Calls that read and write files."
    activities = (Activity.FILE_INDIVIDUAL, Activity.FILE_COLLECTIVE)


class FileIndividual(Property):
    name = "Individual"
    parent = FileIO
    description = "File access by each process on its own."
    advice = "Let all processes read and write together: MPI_File_..._all."
    remedy = Remedy.SKIP
    activities = (Activity.FILE_INDIVIDUAL,)


class FileCollective(Property):
    name = "Collective"
    parent = FileIO
    description = "File access by all processes together."
    advice = "Read and write less often and more at once."
    remedy = Remedy.SKIP
    activities = (Activity.FILE_COLLECTIVE,)


class MpiSynchronization(Property):
    name = "Synchronization"
    parent = MpiTime
    description = "Calls that synchronize processes and move no data."
    activities = (Activity.MPI_BARRIER,)


class MpiBarrier(Property):
    name = "Barrier"
    parent = MpiSynchronization
    description = "MPI's barriers."
    activities = (Activity.MPI_BARRIER,)


class WaitAtMpiBarrier(Waiting):
    """The last one's enter - own enter (EXPERT)."""

    name = "Wait at Barrier"
    parent = MpiBarrier
    state = WaitState.BARRIER
    remedy = Remedy.SHARE
    description = "Processes that come early wait for the last one to come."
    advice = "Share out the work before it more evenly, or see if the barrier is needed at all."


class BarrierCompletion(Waiting):
    """Own leave - the first one's leave (Scalasca)."""

    name = "Barrier Completion"
    parent = MpiBarrier
    state = WaitState.BARRIER_COMPLETION
    remedy = Remedy.SHORTEN
    description = "The first one has left the barrier, this one has not."
    advice = "See if the barrier is needed at all."


class InitExit(Property):
    name = "Init/Exit"
    parent = MpiTime
    description = "What it takes to begin and to end with MPI."
    activities = (Activity.INIT_EXIT,)


class Communicators(Property):
    name = "Communicator Management"
    parent = MpiTime
    description = "Calls that make communicators and topologies, free them and tell of them."
    advice = "Make them once, and keep them."
    remedy = Remedy.SKIP
    activities = (Activity.COMMUNICATORS,)


class Windows(Property):
    name = "Window Management"
    parent = MpiTime
    description = "Calls that make windows, free them and tell of them."
    advice = "Make them once, and keep them."
    remedy = Remedy.SKIP
    activities = (Activity.WINDOWS,)
