"""Gains of a job without a wait between its two processes, worked out by hand.

Most tests use a job of the same form. Rank 1 works for four seconds and then comes to a call. Rank
0 comes to its own call at 1, waits, and works for another three seconds before MPI_Finalize.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pomp_clang.causes.mpi_waits.call_waits import WaitState
from pomp_clang.causes.properties import mpi
from pomp_clang.causes.properties.mpi import Waiting
from pomp_clang.causes.properties.property import Property
from pomp_clang.trace.layout import Kind
from tests.causes.jobs import Script
from tests.causes.mpi_jobs import Gains, alone, in_main, process
from tests.causes.scripts import (
    MAIN,
    PARALLEL,
    TEAM,
    begin,
    departing,
    ending,
    fork,
    leave,
    member,
    opened,
)

END = 7.3
"""When MPI_Finalize of both is left, and with it the program."""


def job(folder: Path) -> Script:
    """Return two processes of one thread that are in `main` up to MPI_Finalize's end."""
    return alone(folder, 2, END)


def ended(script: Script, first: float = 7.2, second: float = 4.5) -> Script:
    """Add MPI_Finalize, to which both processes come and which they leave together."""
    for rank, enter in enumerate((first, second)):
        script.call(rank, "Finalize", enter, END, path=MAIN)
    return script


def gain(script: Script, kind: type[Property], word: str) -> float | None:
    """Return by how many seconds the last process is through MPI_Finalize earlier."""
    return Gains(script)(kind, word)


def late_sender(script: Script) -> None:
    receive = script.call(0, "Recv", 1, 4.2, path=MAIN)
    script.message(script.call(1, "Send", 4, 4.1, path=MAIN), receive)


def late_receiver(script: Script) -> None:
    send = script.call(0, "Ssend", 1, 4.2, path=MAIN)
    script.message(send, script.call(1, "Recv", 4, 4.1, path=MAIN))


def late_receiver_of_much(script: Script) -> None:
    """Add a plain send that does not end before its receiver has come."""
    send = script.call(0, "Send", 1, 4.2, path=MAIN)
    script.message(send, script.call(1, "Recv", 4, 4.1, path=MAIN))


def late_receiver_of_a_request(script: Script) -> None:
    request = script.call(0, "Issend", 0.5, 0.6, path=MAIN)
    completed = script.call(0, "Wait", 1, 4.2, path=MAIN)
    script.message(request, script.call(1, "Recv", 4, 4.1, path=MAIN), sent=completed)


def operation(name: str, root: int = -1) -> Callable[[Script], None]:
    def calls(script: Script) -> None:
        parts = [
            script.call(0, name, 1, 4.2, path=MAIN), script.call(1, name, 4, 4.1, path=MAIN)
        ]  # fmt: skip
        script.together(*parts, root=root)

    return calls


def scan(script: Script) -> None:
    """Add a scan in which the higher rank has to wait."""
    parts = [
        script.call(1, "Scan", 1, 4.2, path=MAIN), script.call(0, "Scan", 4, 4.1, path=MAIN)
    ]  # fmt: skip
    script.together(*parts)


def fence(script: Script) -> None:
    for rank, enter, left in ((0, 1, 4.2), (1, 4, 4.15)):
        script.window(rank, "Win_fence", enter, left).path = MAIN


def windows(script: Script, *calls: tuple[int, str, float, float]) -> None:
    for rank, name, enter, left in calls:
        script.window(rank, name, enter, left, 1 - rank).path = MAIN


def late_post(script: Script) -> None:
    windows(
        script,
        (0, "Win_start", 1, 4.2), (0, "Win_complete", 4.2, 4.2),
        (1, "Win_post", 4, 4.1), (1, "Win_wait", 4.3, 4.4),
    )  # fmt: skip


def early_wait(script: Script) -> None:
    windows(
        script,
        (0, "Win_post", 0.5, 0.6), (0, "Win_wait", 1, 4.2),
        (1, "Win_start", 0.7, 0.8), (1, "Win_complete", 4, 4.1),
    )  # fmt: skip


def window_lock(script: Script) -> None:
    for rank, lock, locked, unlock, left in ((1, 0.5, 0.6, 3.9, 4), (0, 1, 4.2, 4.2, 4.2)):
        script.window(rank, "Win_lock", lock, locked, 0, exclusive=True).path = MAIN
        script.window(rank, "Win_unlock", unlock, left, 0).path = MAIN


@dataclass(frozen=True)
class Case:
    """A wait at calls of a function, and what the job gains without it."""

    kind: type[Waiting]
    calls: Callable[[Script], None]
    function: str
    gain: float


IN_TIME = END - 4.6
"""Rank 0 goes on at 1.2 and would be at MPI_Finalize at 4.2; rank 1 comes there at 4.5."""

SHARED = 1.5
"""Each has two and a half seconds to do instead of one and four."""

CASES = (
    Case(mpi.LateSender, late_sender, "Recv", IN_TIME),
    Case(mpi.LateReceiver, late_receiver, "Ssend", IN_TIME),
    Case(mpi.LateReceiver, late_receiver_of_much, "Send", IN_TIME),
    Case(mpi.LateReceiver, late_receiver_of_a_request, "Wait", IN_TIME),
    Case(mpi.LateBroadcast, operation("Bcast", root=1), "Bcast", IN_TIME),
    Case(mpi.EarlyReduce, operation("Reduce", root=0), "Reduce", IN_TIME),
    Case(mpi.WaitAtNxN, operation("Allreduce"), "Allreduce", SHARED),
    Case(mpi.WaitAtMpiBarrier, operation("Barrier"), "Barrier", SHARED),
    Case(mpi.WaitAtFence, fence, "Win_fence", SHARED),
    Case(mpi.LatePost, late_post, "Win_start", IN_TIME),
    Case(mpi.EarlyWait, early_wait, "Win_wait", IN_TIME),
    Case(mpi.WindowLock, window_lock, "Win_lock", IN_TIME),
    Case(mpi.NxNCompletion, operation("Allreduce"), "Allreduce", 0.1),
    Case(mpi.BarrierCompletion, operation("Barrier"), "Barrier", 0.1),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.calls.__name__ + case.function)
def test_a_wait_has_the_gain_of_its_repair(case: Case, tmp_path: Path) -> None:
    script = job(tmp_path)
    case.calls(script)
    actual = gain(ended(script), case.kind, f"MPI_{case.function}")
    assert actual == pytest.approx(case.gain, abs=1e-6)


def test_a_prefix_has_the_gain_of_the_better_repair(tmp_path: Path) -> None:
    script = job(tmp_path)
    scan(script)
    assert gain(ended(script, 4.5, 7.2), mpi.EarlyScan, "MPI_Scan") == pytest.approx(IN_TIME)


def test_every_wait_has_a_prediction() -> None:
    """Waits in wrong order are parts of others in the list."""
    orders = {WaitState.LATE_SENDER_ORDER, WaitState.LATE_RECEIVER_ORDER}
    assert {kind.state for kind in Waiting.__subclasses__()} == {
        *(case.kind.state for case in CASES), WaitState.EARLY_SCAN, *orders
    }  # fmt: skip


def test_only_waits_in_wrong_order_are_repaired_by_another_order(tmp_path: Path) -> None:
    """The first receive waits for the later of two messages, the third for one that has no other
    beside it."""
    script = job(tmp_path)
    older = script.call(1, "Send", 0.5, 0.6, path=MAIN)
    script.message(
        script.call(1, "Send", 2, 2.1, path=MAIN), script.call(0, "Recv", 1, 2.2, path=MAIN)
    )
    script.message(older, script.call(0, "Recv", 2.3, 2.4, path=MAIN))
    script.message(
        script.call(1, "Send", 4, 4.1, path=MAIN), script.call(0, "Recv", 2.5, 4.2, path=MAIN)
    )
    ended(script)
    assert gain(script, mpi.LateSenderOrder, "MPI_Recv") == 0
    assert gain(script, mpi.LateSender, "MPI_Recv") == pytest.approx(1 + 1.5)


def test_a_process_that_leaves_finalize_at_once_ends_when_it_does(tmp_path: Path) -> None:
    """Here MPI_Finalize does not synchronize: rank 1 is the last without waiting for anybody."""
    script = job(tmp_path)
    send = script.call(0, "Send", 3, 3.1, path=MAIN)
    script.message(send, script.call(1, "Recv", 1, 3.2, path=MAIN))
    script.call(0, "Finalize", 3.2, 3.3, path=MAIN)
    script.call(1, "Finalize", 7.2, 7.3, path=MAIN)
    # Rank 0 is in `main` up to its end, after MPI_Finalize: in time only rank 1 would end earlier.
    # If they shared their work, each would have two seconds to do before the message.
    assert gain(script, mpi.LateSender, "MPI_Recv") == pytest.approx(1)


@pytest.mark.parametrize("name", ["Win_free", "Comm_dup", "File_close"])
def test_other_agreements_synchronize_like_finalize(name: str, tmp_path: Path) -> None:
    script = job(tmp_path)
    late_sender(script)
    for rank, enter in enumerate((7.1, 4.4)):
        script.call(rank, name, enter, 7.15, path=MAIN)
    assert gain(ended(script, second=7.2), mpi.LateSender, "MPI_Recv") == pytest.approx(IN_TIME)


def test_a_synchronous_send_waits_once_it_is_early(tmp_path: Path) -> None:
    """Without waiting for the lock, rank 0 would send at 1.2. Its message is received from 3 on,
    for which the trace has no wait."""
    script = job(tmp_path)
    window_lock(script)
    posted = script.call(1, "Irecv", 3, 3.1, path=MAIN)
    completed = script.call(1, "Wait", 4.1, 4.35, path=MAIN)
    script.message(script.call(0, "Ssend", 4.2, 4.3, path=MAIN), posted, received=completed)
    # It sends from 1.2 to 3.1 instead of from 4.2 to 4.3, and comes to MPI_Finalize at 6.
    assert gain(ended(script), mpi.WindowLock, "MPI_Win_lock") == pytest.approx(1.2)


def test_processes_share_what_they_do_before_they_exchange_messages(tmp_path: Path) -> None:
    """Both are late for the other in turn, by two seconds and by one; neither would gain by going
    on without the message."""
    script = job(tmp_path)
    for enters in ((1, 3), (5, 4)):
        left = max(enters)
        parts = [
            script.call(rank, "Sendrecv", enter, left, path=MAIN) for rank, enter in enumerate(enters)
        ]  # fmt: skip
        script.message(*parts)
        script.message(*reversed(parts))
    # They come at 2 and, having done one and a half seconds more, at 3.5 instead of 5.
    assert gain(ended(script, second=7.2), mpi.LateSender, "MPI_Sendrecv") == pytest.approx(1.5)


def test_work_before_the_last_meeting_is_not_shared(tmp_path: Path) -> None:
    """At the second barrier rank 0 is the late one, by one second."""
    script = job(tmp_path)
    for enters, left in (((1, 4), 4), ((6, 5), 6)):
        parts = [script.call(rank, "Barrier", enters[rank], left, path=MAIN) for rank in (0, 1)]
        script.together(*parts)
    actual = gain(ended(script, second=6.5), mpi.WaitAtMpiBarrier, "MPI_Barrier")
    assert actual == pytest.approx(1.5 + 0.5)


def test_what_is_waited_for_messages_is_no_work_to_share(tmp_path: Path) -> None:
    """Rank 0 has waited for three seconds of those before the barrier."""
    script = job(tmp_path)
    late_sender(script)
    parts = [
        script.call(rank, "Barrier", enter, 6.2, path=MAIN) for rank, enter in ((0, 4.2), (1, 6.1))
    ]
    script.together(*parts)
    # Rank 0 has worked 1.2 s and rank 1 6.1 s, so that each gets 3.65 s.
    actual = gain(ended(script, second=6.3), mpi.WaitAtMpiBarrier, "MPI_Barrier")
    assert actual == pytest.approx(6.1 - 3.65)


def test_a_process_alone_has_no_gain(tmp_path: Path) -> None:
    """One process does not know the actions of the other processes."""
    script = alone(tmp_path, 1, END)
    script.call(0, "Finalize", 7, 7.3, path=MAIN)
    assert gain(script, mpi.WaitAtMpiBarrier, "MPI_Finalize") == 0


def test_threads_of_an_uneven_team_get_their_share_too(tmp_path: Path) -> None:
    """The worker of rank 1 comes to the end of its team's region at 4, which the master waits for;
    rank 0 comes at 1.  Both have two and a half seconds instead."""
    worker = [member(0.5, PARALLEL, TEAM, 0.5), *departing(PARALLEL, 4, 4)]
    master = [
        opened(0, Kind.USER, MAIN), fork(0.5, PARALLEL, TEAM), begin(0.5, PARALLEL),
        *ending(PARALLEL, TEAM, 1, 4, 4), leave(END, MAIN),
    ]  # fmt: skip
    streams: tuple[Any, ...] = ((in_main(END), []), (master, worker))
    traces = (process(tmp_path, rank, *stream) for rank, stream in enumerate(streams))
    script = Script(2, threads=2, traces=tuple(traces))
    operation("Allreduce")(script)
    actual = gain(ended(script), mpi.WaitAtNxN, "MPI_Allreduce")
    assert actual == pytest.approx(SHARED, rel=0.01)
