"""Clocks of processes that differ, by traces made by hand, and those of one machine as they are."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from pomp_clang.experiment import ExperimentError
from pomp_clang.experiment.find import processes
from pomp_clang.experiment.parse import load
from pomp_clang.trace.mpi.clocks import member_of
from pomp_clang.trace.mpi.columns import Job
from pomp_clang.trace.mpi.correct import ClockMoments, count_backwards, shifted
from pomp_clang.trace.mpi.read_job import read
from tests.mpi.harness import MPIS, build, run
from tests.trace.mpi.handmade import Process

MS = 1_000_000
COUNT = 4


def written(folder: Path, *of: Process) -> Job:
    for process in of:
        process.write(folder)
    return read(str(folder))


def compared(rank: int, lags: int, at: tuple[int, int], drift: int = 0) -> dict[str, str]:
    """Return a comparison with process 0, which has the true clock.

    The process's own clock is behind by that much, at the end by `drift` more.
    """
    return {
        f"mpi_clock_{when}": f"{rank} {true - lags - more} {true} 400"
        for when, true, more in (("begin", at[0], 0), ("end", at[1], drift))
    }


def test_a_clock_that_is_behind_is_found_by_what_was_measured(tmp_path: Path) -> None:
    process = Process(0, 2)
    other = Process(1, 2, lag=7 * MS, texts=compared(0, 7 * MS, (20 * MS, 900 * MS)))
    process.send(100 * MS, 101 * MS, receiver=1)
    other.receive(90 * MS, 102 * MS, sender=0)
    job = written(tmp_path, process, other)
    assert (job.correction.backwards, job.correction.moved) == (0, 0)
    # From the first process's start on, which is the second one's, too, by its own clock.
    assert job.calls.enter.tolist() == [100 * MS, 90 * MS]
    assert job.calls.leave.tolist() == [101 * MS, 102 * MS]
    clock = job.processes[1].clock
    assert (clock.offset, clock.drift, clock.error) == (7 * MS, 0, 200)


def test_a_clock_that_goes_slower_is_interpolated(tmp_path: Path) -> None:
    process = Process(0, 2)
    slow = Process(1, 2, texts=compared(0, 0, (0, 1000 * MS), drift=MS))
    process.send(500 * MS, 501 * MS, receiver=1)
    # 0.5 ms less than the true time: halfway between both measurements.
    slow.receive(400 * MS, 502 * MS - MS // 2, sender=0)
    job = written(tmp_path, process, slow)
    assert job.processes[1].clock.drift == pytest.approx(1e9 / 999, rel=1e-6)
    assert job.calls.leave[1] == pytest.approx(502 * MS, abs=2500)
    place = job.locations[1]
    ticks = np.array([0, 999 * MS])
    assert place.at(ticks).tolist() == [0, 1000 * MS]


def test_a_message_that_came_before_it_was_sent_is_moved(tmp_path: Path) -> None:
    early, late = Process(0, 2), Process(1, 2, lag=5 * MS)
    early.send(100 * MS, 101 * MS, receiver=1)
    late.call("Comm_rank", 60 * MS, 61 * MS)
    late.receive(99 * MS, 102 * MS, sender=0)
    late.call("Comm_size", 103 * MS, 104 * MS)
    late.call("Comm_rank", 900 * MS, 901 * MS)
    early.call("Comm_rank", 903 * MS, 904 * MS)
    job = written(tmp_path, early, late)
    assert (job.correction.backwards, job.correction.moved) == (1, 1)
    assert job.correction.furthest == 3 * MS + 1
    assert count_backwards(job.calls, job.messages) == 0
    received = int(job.messages.received[0])
    assert job.calls.leave[received] == 100 * MS + 1
    of_late = job.calls.location == 1
    moments = np.stack([job.calls.enter[of_late], job.calls.leave[of_late]], axis=1).reshape(-1)
    assert (np.diff(moments) > 0).all()
    # Before the first message and behind the last one it is moved by as much.
    assert moments[[0, -1]].tolist() == [58 * MS + 1, 899 * MS + 1]
    # The first process is as it was.
    assert job.calls.enter[~of_late].tolist() == [100 * MS, 903 * MS]


def test_what_is_sent_does_not_move_beyond_its_receipt(tmp_path: Path) -> None:
    process, other = Process(0, 2), Process(1, 2, lag=5 * MS)
    other.send(99 * MS, 99 * MS + 1, receiver=0, tag=1)
    process.receive(90 * MS, 95 * MS, sender=1, tag=1)
    process.send(100 * MS, 101 * MS, receiver=1)
    other.receive(100 * MS, 102 * MS, sender=0)
    job = written(tmp_path, process, other)
    assert job.correction.backwards == 1
    assert count_backwards(job.calls, job.messages) == 0


def test_clocks_that_are_decades_apart_are_an_error() -> None:
    process, is_sink, meeting = np.array([0, 1]), np.array([0, 1]), np.array([0, 0])
    clocks_apart = ClockMoments(process, np.array([0, 1 << 61]), meeting, is_sink)
    with pytest.raises(ExperimentError, match="73 years apart"):
        shifted(clocks_apart, 2)
    late = ClockMoments(process, np.array([1 << 60, 0]), meeting, is_sink)
    assert shifted(late, 2).tolist() == [0, (1 << 60) + 1]


def test_a_barrier_is_left_by_nobody_before_all_are_there(tmp_path: Path) -> None:
    lags = (0, 4 * MS, -3 * MS)
    ranks = [Process(rank, 3, lag=remaining) for rank, remaining in enumerate(lags)]
    for rank, process in enumerate(ranks):
        process.barrier((100 + rank) * MS, 103 * MS + rank)
    job = written(tmp_path, *ranks)
    parts = job.collectives
    assert len(parts.call) == 3
    assert job.calls.leave[parts.completed].min() > job.calls.enter[parts.call].max()


@pytest.mark.parametrize("seed", range(6))
def test_no_message_goes_backwards(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    lags = [0, *(rng.randrange(-20 * MS, 20 * MS) for _ in range(COUNT - 1))]
    ranks = [Process(rank, COUNT, lag=remaining) for rank, remaining in enumerate(lags)]
    free = [50 * MS] * COUNT
    for _ in range(200):
        if not rng.randrange(20):
            there = max(free)
            for rank, process in enumerate(ranks):
                process.barrier(free[rank] + rng.randrange(MS), there + MS + rng.randrange(MS))
                free[rank] = there + 2 * MS
            continue
        source, target = rng.sample(range(COUNT), 2)
        sent, requested = free[source] + rng.randrange(MS), free[target] + rng.randrange(MS)
        arrival = max(sent, requested) + 1 + rng.randrange(MS)
        ranks[source].send(sent, sent + 10, target, tag=rng.randrange(3))
        # Its tag is the sender's: the value that it was sent with.
        ranks[target].receive(requested, arrival, source, tag=_tag(ranks[source]))
        free[source], free[target] = sent + 11, arrival + 1
    job = written(tmp_path, *ranks)
    assert (job.unmatched.sends, job.unmatched.receives) == (0, 0)
    assert job.correction.backwards > 0 and job.correction.furthest < 45 * MS
    assert count_backwards(job.calls, job.messages) == 0
    parts = job.collectives
    for instance in set(parts.instance.tolist()):
        is_own = parts.instance == instance
        assert (
            job.calls.leave[parts.completed[is_own]].min()
            > job.calls.enter[parts.call[is_own]].max()
        )
    for place in range(COUNT):
        is_own = job.calls.location == place
        moments = np.stack([job.calls.enter[is_own], job.calls.leave[is_own]], axis=1).reshape(-1)
        assert (np.diff(moments) >= 0).all()


def _tag(sender: Process) -> int:
    return sender.words[-2][1] >> 8 & 0xFFFFFFFF


def test_clocks_that_agree_are_left_as_they_are(tmp_path: Path) -> None:
    ranks = [Process(rank, COUNT, texts={"boot": "one"}) for rank in range(COUNT)]
    for rank, process in enumerate(ranks):
        process.barrier((100 + rank) * MS, 104 * MS + rank)
    job = written(tmp_path, *ranks)
    assert job.correction.moved == 0
    assert job.calls.enter.tolist() == [(100 + rank) * MS for rank in range(COUNT)]


@pytest.mark.parametrize("mpi", MPIS)
def test_processes_of_one_machine_measure_the_same_clock(
    programs: Path, tmp_path: Path, mpi: str
) -> None:
    program = build(mpi, "traffic", programs)
    run(program, COUNT, tmp_path / "run", POMP_TRACE="1", POMP_MPI_CLOCKS="2")
    members = [
        member_of(n, load(process)) for n, process in enumerate(processes(str(tmp_path / "run")))
    ]
    assert [len(member.comparisons) for member in members] == [0, 2, 2, 2]
    assert [member.comparisons[0].rank for member in members[1:]] == [0, 0, 2]
    for remaining in members[1:]:
        for comparison in remaining.comparisons:
            # In the time that the answer took, which is all that can be known.
            assert abs(comparison.remote - comparison.local) <= comparison.round_trip / 2 + 1
    job = read(str(tmp_path / "run"))
    assert {process.clock.offset for process in job.processes} == {0}
    assert count_backwards(job.calls, job.messages) == 0
