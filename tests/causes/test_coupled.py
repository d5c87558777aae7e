"""What a job would gain, whose processes wait for each other, worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.causes.mpi.coupled import Coupled
from pomp_clang.causes.mpi.job import cube_of, runs_of
from pomp_clang.causes.properties import mpi, openmp, threads, time
from pomp_clang.causes.property import Property
from pomp_clang.causes.registry import properties
from pomp_clang.trace.layout import Kind
from pomp_clang.trace.reader import read
from tests.causes.jobs import Script, folder_of
from tests.causes.scripts import (
    BARRIER,
    MAIN,
    PARALLEL,
    Stream,
    barrier,
    begin,
    departing,
    ending,
    fork,
    leave,
    member,
    opened,
    write_trace,
)

TEAM = 1 << 40 | 1


def uneven(late: float) -> tuple[Stream, Stream]:
    """`main` up to 10, with a region from 1 to 5 that has a barrier, to which the master comes at
    2 and the worker late."""
    master = [
        opened(0, Kind.USER, MAIN), fork(1, PARALLEL, TEAM), begin(1, PARALLEL),
        *barrier(BARRIER, 2, late), *ending(PARALLEL, TEAM, 5, 5, 5), leave(10, MAIN),
    ]  # fmt: skip
    worker = [
        member(1, PARALLEL, TEAM, 1), *barrier(BARRIER, late, late), *departing(PARALLEL, 5, 5),
    ]  # fmt: skip
    return master, worker


def script_of(folder: Path, *late: float, offsets: tuple[float, ...] = ()) -> Script:
    traces = tuple(
        read(write_trace(folder_of(rank, folder), *uneven(each))) for rank, each in enumerate(late)
    )
    return Script(len(late), threads=2, traces=traces, offsets=offsets)


class Gains:
    def __init__(self, script: Script) -> None:
        job = script.job()
        runs = runs_of(job)
        self.cube = cube_of(job, runs, properties())
        self.coupled = Coupled(job, tuple(runs.values()))

    def __call__(self, kind: type[Property], word: str) -> float | None:
        rows = range(len(self.cube.paths))
        path = next(row for row in rows if self.cube.word_of(row) == word)
        found = self.coupled.gain_of(kind, path)
        return found if found is None else round(found, 6)


def test_who_waits_for_a_message_gains_with_its_sender(tmp_path: Path) -> None:
    """The worker of rank 0 comes two seconds late; shared, the message is sent one second sooner,
    and rank 1 has nothing but that to wait for."""
    script = script_of(tmp_path, 4, 2)
    send = script.call(0, "Send", 6, 6.2, path=MAIN)
    receive = script.call(1, "Recv", 5.5, 6.5, path=MAIN)
    script.message(send, receive)
    gains = Gains(script)
    assert gains.coupled.duration == pytest.approx(10)
    assert gains(openmp.ExplicitWait, "barrier") == 0.5
    # In time, rank 1 would be at its end half a second sooner, and rank 0 would not.
    assert gains(mpi.LateSender, "MPI_Recv") == 0
    assert gains(time.Time, "barrier") is None


def test_no_more_is_gained_than_what_the_last_one_allows(tmp_path: Path) -> None:
    """Of a second and a half that rank 1 would be sooner at the reduction it gains one: rank 0 is
    then the last to come.  Without waiting there both would be as soon as they are."""
    script = script_of(tmp_path, 2, 5)
    for rank, enter in enumerate((5.5, 6.5)):
        script.call(rank, "Allreduce", enter, 7, path=MAIN)
    script.together(*script.calls)
    gains = Gains(script)
    assert gains.coupled.duration == pytest.approx(10)
    assert gains(openmp.ExplicitWait, "barrier") == 1
    assert gains(mpi.WaitAtNxN, "MPI_Allreduce") == 0


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
    # Of six seconds that both do alone there is half left.
    assert gains(threads.IdleThreads, "function") == 3
