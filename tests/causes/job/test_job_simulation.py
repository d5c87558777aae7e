"""Gains of a job whose processes wait for each other, worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.causes.properties import mpi, openmp, threads, time
from pomp_clang.trace.layout import Kind
from tests.causes.jobs import Script
from tests.causes.mpi_jobs import Gains, process
from tests.causes.scripts import (
    BARRIER,
    MAIN,
    PARALLEL,
    TEAM,
    Stream,
    barrier,
    begin,
    departing,
    ending,
    fork,
    leave,
    member,
    opened,
)


def uneven(late: float) -> tuple[Stream, Stream]:
    """Return `main` up to 10, with a region from 1 to 5 that has a barrier.

    The master comes to the barrier at 2, and the worker at `late`. The barrier at the region's end
    takes a tick: without that barrier, the region would count as canceled.
    """
    end = 5 + 1e-9
    master = [
        opened(0, Kind.USER, MAIN), fork(1, PARALLEL, TEAM), begin(1, PARALLEL),
        *barrier(BARRIER, 2, late), *ending(PARALLEL, TEAM, 5, end, end), leave(10, MAIN),
    ]  # fmt: skip
    worker = [
        member(1, PARALLEL, TEAM, 1), *barrier(BARRIER, late, late), *departing(PARALLEL, 5, 5),
    ]  # fmt: skip
    return master, worker


def script_of(folder: Path, *late: float, offsets: tuple[float, ...] = ()) -> Script:
    traces = tuple(process(folder, rank, *uneven(seconds)) for rank, seconds in enumerate(late))
    return Script(len(late), threads=2, traces=traces, offsets=offsets)


def test_who_waits_for_a_message_gains_with_its_sender(tmp_path: Path) -> None:
    """The worker of rank 0 comes two seconds late. With shared work, the message is sent one second
    sooner, and rank 1 waits for nothing else."""
    script = script_of(tmp_path, 4, 2)
    send = script.call(0, "Send", 6, 6.2, path=MAIN)
    receive = script.call(1, "Recv", 5.5, 6.5, path=MAIN)
    script.message(send, receive)
    gains = Gains(script)
    assert gains.coupled.duration == pytest.approx(10)
    assert gains(openmp.ExplicitWait, "barrier") == 0.5
    # In time, rank 1 would end half a second earlier, and rank 0 would not.  If both shared their
    # work, both would come at 5.75.
    assert gains(mpi.LateSender, "MPI_Recv") == 0.25
    assert gains(time.Time, "barrier") is None


def test_no_more_is_gained_than_what_the_last_one_allows(tmp_path: Path) -> None:
    """Rank 1 would come to the reduction 1.5 s sooner but gains one second: rank 0 is then the last
    to come. If both shared their work, they would come at 6."""
    script = script_of(tmp_path, 2, 5)
    for rank, enter in enumerate((5.5, 6.5)):
        script.call(rank, "Allreduce", enter, 7, path=MAIN)
    script.together(*script.calls)
    gains = Gains(script)
    assert gains.coupled.duration == pytest.approx(10)
    assert gains(openmp.ExplicitWait, "barrier") == 1
    assert gains(mpi.WaitAtNxN, "MPI_Allreduce") == 0.5


def test_a_root_is_waited_for_and_waits(tmp_path: Path) -> None:
    """Rank 0 gives at 6 what rank 1 wants from 5.1 on; that gives at 7 what rank 0 waits for from
    6.3 on.  Rank 0 could come a second and a half sooner."""
    script = script_of(tmp_path, 5, 2)
    parts = [
        script.call(0, "Bcast", 6, 6.1, path=MAIN),
        script.call(1, "Bcast", 5.1, 6.2, path=MAIN),
    ]
    script.together(*parts, root=0)
    parts = [
        script.call(0, "Reduce", 6.3, 7.5, path=MAIN),
        script.call(1, "Reduce", 7, 7.1, path=MAIN),
    ]
    script.together(*parts, root=0)
    gains = Gains(script)
    assert gains.coupled.duration == pytest.approx(10)
    # Rank 1 has the data at 5.1 + 0.2 instead of 6.2: it gives its own 0.9 sooner.
    assert gains(openmp.ExplicitWait, "barrier") == 0.9
    # So it does without waiting there; then rank 0 is the last, at 6.3, instead of 7.
    assert gains(mpi.LateBroadcast, "MPI_Bcast") == 0.7


def test_processes_begin_when_they_do(tmp_path: Path) -> None:
    """Rank 1 a quarter of a second later: it ends last, and nothing of rank 0 is waited for."""
    script = script_of(tmp_path, 4, 2, offsets=(0, 0.25))
    gains = Gains(script)
    assert gains.coupled.duration == pytest.approx(10.25)
    assert gains(openmp.ExplicitWait, "barrier") == 0
    # Half of the six seconds that both do alone is left.
    assert gains(threads.IdleThreads, "function") == 3


def test_what_came_late_is_waited_for_by_both_in_turn(tmp_path: Path) -> None:
    """Rank 0 sends half a second late, and waits itself for rank 1's answer.  In time rank 1 would
    be done with it at 5.5 + 0.5 instead of 6.5, and so would both be with the answer."""
    script = script_of(tmp_path, 4, 2)
    request = script.call(0, "Send", 6, 6.2, path=MAIN)
    script.message(request, script.call(1, "Recv", 5.5, 6.5, path=MAIN))
    answer = script.call(1, "Send", 9, 9.2, path=MAIN)
    script.message(answer, script.call(0, "Recv", 6.5, 9.1, path=MAIN))
    gains = Gains(script)
    path = "MPI_Recv"
    # The answer is waited for at the same call path: without that, too, rank 0 is not the last.
    assert gains(mpi.LateSender, path) == 0.5
    # Shared, it is sent at 5, before it is wanted.
    assert gains(openmp.ExplicitWait, "barrier") == 0.5


def test_two_barriers_that_each_is_late_for_once(tmp_path: Path) -> None:
    """Rank 1 is late for the first by two seconds, rank 0 for the second by half a second.  If both
    shared their work, the last would come a second and a quarter of a second earlier."""
    script = script_of(tmp_path, 2, 2)
    for since, until in (((6, 8), 8.1), ((9.5, 9), 9.6)):
        parts = [script.call(rank, "Barrier", since[rank], until, path=MAIN) for rank in (0, 1)]
        script.together(*parts)
    gains = Gains(script)
    assert gains(mpi.WaitAtMpiBarrier, "MPI_Barrier") == 1.25
