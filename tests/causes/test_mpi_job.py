"""A job's processes in one cube: MPI beside OpenMP, computed by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.causes.cube import Cube
from pomp_clang.causes.findings import findings
from pomp_clang.causes.mpi.job import cube_of, runs_of
from pomp_clang.causes.registry import properties
from pomp_clang.trace.layout import Kind
from pomp_clang.trace.reader import read
from tests.causes.jobs import Script, folder_of
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
    write_trace,
)

WORK, WAITING = 1, 2
"""Call paths of the job's processes: `scripts.PARALLEL` is 1."""


def process(folder: Path, rank: int, *streams: Stream, **more: object):
    return read(write_trace(folder_of(rank, folder), *streams, **more))


def hybrid(since: float, until: float) -> tuple[Stream, Stream]:
    """`main` from 0 to 10, with a region in it in which nobody waits."""
    master = [
        opened(0, Kind.USER, MAIN),
        fork(since, PARALLEL, TEAM),
        begin(since, PARALLEL),
        *ending(PARALLEL, TEAM, until, until, until),
        leave(10, MAIN),
    ]
    return master, [member(since, PARALLEL, TEAM, since), *departing(PARALLEL, until, until)]


def analysed(script: Script) -> Cube:
    job = script.job()
    return cube_of(job, runs_of(job), properties())


def cells(cube: Cube, *names: str) -> dict[tuple[str, int, int], float]:
    """What is not 0 of a property: by the call path's last word, the process and the thread."""
    rows = [
        row
        for row in range(len(cube.metrics))
        if tuple(cube.metric_path(row)[-len(names) :]) == names
    ]
    assert len(rows) == 1, (names, rows)
    found = {}
    for path, thread in zip(*cube.dense(rows[0]).nonzero(), strict=True):
        where = cube.threads[thread]
        key = cube.word_of(path), where.process, where.thread
        found[key] = round(found.get(key, 0) + cube.dense(rows[0])[path, thread], 6)
    return found


def swept(tmp_path: Path) -> Script:
    """What EXPERT found in SWEEP3D: outside the regions a process waits for a message, and so its
    other threads are idle.  Rank 0 sends at 6 what rank 1 wants from 2 on."""
    script = Script(
        2,
        threads=2,
        traces=(
            process(tmp_path, 0, *hybrid(1, 5)),
            process(tmp_path, 1, *hybrid(7, 9)),
        ),
    )
    script.call(0, "Init", 0, 0.5)
    script.call(1, "Init", 0, 0.5)
    send = script.call(0, "Send", 6, 6.2, path=MAIN)
    receive = script.call(1, "Recv", 2, 6.5, path=MAIN)
    script.message(send, receive, size=1000)
    return script


@pytest.fixture
def sweep(tmp_path: Path) -> Cube:
    return analysed(swept(tmp_path))


def test_time_is_that_of_all_processes(sweep: Cube) -> None:
    assert sweep.duration == pytest.approx(10)
    assert round(sum(cells(sweep, "Time").values()), 6) == 40
    assert [(each.process, each.thread) for each in sweep.threads] == [
        (0, 0), (0, 1), (1, 0), (1, 1),
    ]  # fmt: skip


def test_calls_have_call_paths_below_that_which_they_were_called_from(sweep: Cube) -> None:
    assert cells(sweep, "Execution", "MPI") == {
        ("MPI_Init", 0, 0): 0.5,
        ("MPI_Init", 1, 0): 0.5,
        ("MPI_Send", 0, 0): 0.2,
        ("MPI_Recv", 1, 0): 4.5,
    }
    paths = {
        tuple(sweep.word_of(row) for row in sweep.call_path(path))
        for path in range(len(sweep.paths))
    }
    assert ("function", "MPI_Recv") in paths


def test_mpi_is_no_computation(sweep: Cube) -> None:
    """In `main` alone, outside regions: from 0.5 on but for calls and the region."""
    assert cells(sweep, "Visits")["MPI_Recv", 1, 0] == 1
    assert cells(sweep, "Execution")["function", 0, 0] == 9.5 - 4 - 0.2
    assert cells(sweep, "Execution")["function", 1, 0] == 9.5 - 2 - 4.5


def test_late_sender_stands_where_threads_are_idle(sweep: Cube) -> None:
    """papers/002: the same call path has both."""
    assert cells(sweep, "Late Sender") == {("MPI_Recv", 1, 0): 4}
    idle = cells(sweep, "Idle Threads")
    assert idle["MPI_Recv", 1, 1] == 4.5
    assert idle["MPI_Send", 0, 1] == 0.2
    assert sum(idle.values()) == pytest.approx(6 + 8)


def test_what_is_counted(sweep: Cube) -> None:
    assert cells(sweep, "Messages") == {("MPI_Send", 0, 0): 1, ("MPI_Recv", 1, 0): 1}
    assert cells(sweep, "Messages", "Sent") == {("MPI_Send", 0, 0): 1}
    assert cells(sweep, "Bytes", "Received") == {("MPI_Recv", 1, 0): 1000}


def test_a_part_is_in_what_it_is_a_part_of(sweep: Cube) -> None:
    totals = sweep.totals()
    for row, metric in enumerate(sweep.metrics):
        if metric.above >= 0:
            whole, part = sweep.dense(metric.above), sweep.dense(row)
            assert (part <= whole + 1e-9).all(), sweep.metric_path(row)
    assert totals[0] == pytest.approx(40)


def test_each_kind_of_call_is_where_it_belongs(tmp_path: Path) -> None:
    """One of each, of 0.1 s, one after the other."""
    kinds = {
        "Init/Exit": ("Init", "Finalize"),
        "Point-to-point": ("Recv", "Wait"),
        "One-sided": ("Put", "Win_fence"),
        "Individual": ("File_read", "File_iwrite_at"),
        "Synchronization": ("Barrier",),
        "Communicator Management": ("Comm_dup", "Cart_create"),
        "Window Management": ("Win_create", "Win_free"),
    }
    script = Script(1, threads=2, traces=(process(tmp_path, 0, *hybrid(9, 9.5)),))
    wanted = {}
    when = 1.0
    for kind, names in kinds.items():
        wanted[kind] = {(f"MPI_{name}", 0, 0): 0.1 for name in names}
        for name in names:
            script.call(0, name, when, when + 0.1, path=MAIN)
            when += 0.2
    script.call(0, "File_write_all", 5, 5.1, path=MAIN)
    script.call(0, "Allreduce", 6, 6.1, path=MAIN)
    script.call(0, "Type_commit", 7, 7.1, path=MAIN)
    cube = analysed(script)
    found = {kind: cells(cube, "MPI", kind) for kind in kinds if kind in _directly(cube)}
    found |= {kind: cells(cube, kind) for kind in ("Point-to-point", "Individual")}
    found["One-sided"] = cells(cube, "Communication", "One-sided")
    assert found == wanted
    assert cells(cube, "Communication", "Collective") == {("MPI_Allreduce", 0, 0): 0.1}
    assert cells(cube, "File I/O", "Collective") == {("MPI_File_write_all", 0, 0): 0.1}
    assert cells(cube, "Execution", "MPI")["MPI_Type_commit", 0, 0] == 0.1


def _directly(cube: Cube) -> set[str]:
    return {
        metric.name
        for row, metric in enumerate(cube.metrics)
        if cube.metric_path(row)[:-1] == ["Time", "Execution", "MPI"]
    }


def test_every_wait_stands_at_its_call(tmp_path: Path) -> None:
    """In the region of each thread its own, and outside; both processes come at 5 or 8."""
    script = Script(
        2,
        threads=2,
        traces=(process(tmp_path, 0, *hybrid(1, 5)), process(tmp_path, 1, *hybrid(1, 5))),
    )
    in_region = [script.call(rank, "Recv", 2, 4.5, thread=1, path=PARALLEL) for rank in (0, 1)]
    for rank in (0, 1):
        begun = 3 + rank / 2
        send = script.call(1 - rank, "Send", begun, begun + 0.1, path=PARALLEL)
        script.message(send, in_region[rank])
    early = script.call(0, "Barrier", 6, 8.1, path=MAIN)
    script.together(early, script.call(1, "Barrier", 8, 8.3, path=MAIN))
    cube = analysed(script)
    assert cells(cube, "Late Sender") == {("MPI_Recv", 0, 1): 1, ("MPI_Recv", 1, 1): 1.5}
    assert cells(cube, "MPI", "Synchronization") == {
        ("MPI_Barrier", 0, 0): 2.1,
        ("MPI_Barrier", 1, 0): 0.3,
    }
    assert cells(cube, "Synchronization", "Barrier", "Wait at Barrier") == {
        ("MPI_Barrier", 0, 0): 2
    }
    assert cells(cube, "MPI", "Synchronization", "Barrier", "Barrier Completion") == {
        ("MPI_Barrier", 1, 0): 0.2
    }
    assert cells(cube, "MPI Synchronizations") == {
        ("MPI_Barrier", 0, 0): 1,
        ("MPI_Barrier", 1, 0): 1,
    }


def test_clocks_that_differ_do_not_matter(tmp_path: Path) -> None:
    """Rank 1 began half a second later, and counts from there."""
    script = Script(
        2,
        threads=2,
        traces=(process(tmp_path, 0, *hybrid(1, 5)), process(tmp_path, 1, *hybrid(7, 9))),
        offsets=(0.0, 0.5),
    )
    send = script.call(0, "Send", 6, 6.2, path=MAIN)
    script.message(send, script.call(1, "Recv", 2.5, 6.5, path=MAIN))
    cube = analysed(script)
    assert cube.duration == pytest.approx(10.5)
    assert cells(cube, "Late Sender") == {("MPI_Recv", 1, 0): 3.5}
    assert cells(cube, "Idle Threads")["MPI_Recv", 1, 1] == 4
    assert cells(cube, "Execution")["MPI_Recv", 1, 0] == 4


def test_a_thread_in_mpi_is_late_for_a_barrier_and_computes_nothing(tmp_path: Path) -> None:
    """So both threads compute as much."""
    master = [
        fork(1, PARALLEL, TEAM), begin(1, PARALLEL), *barrier(BARRIER, 6, 6),
        *ending(PARALLEL, TEAM, 9, 9, 9),
    ]  # fmt: skip
    worker = [
        member(1, PARALLEL, TEAM, 1), *barrier(BARRIER, 2, 6), *departing(PARALLEL, 9, 9),
    ]  # fmt: skip
    script = Script(1, threads=2, traces=(process(tmp_path, 0, master, worker),))
    script.call(0, "Recv", 1.5, 5.5, path=PARALLEL)
    cube = analysed(script)
    assert cells(cube, "Explicit", "Wait at Barrier") == {("barrier", 0, 1): 4}
    assert cells(cube, "Execution", "MPI") == {("MPI_Recv", 0, 0): 4}
    assert cells(cube, "Execution")["parallel", 0, 0] == 4
    assert cells(cube, "Overload") == {}


def each_kind(tmp_path: Path) -> Script:
    """A wait of each kind, one after the other."""
    script = Script(
        3,
        threads=2,
        traces=tuple(process(tmp_path, rank, *hybrid(9, 9.5)) for rank in range(3)),
    )
    script.message(script.call(1, "Send", 0.5, 0.6), script.call(0, "Recv", 0.1, 0.6), size=100)
    script.message(script.call(2, "Send", 0.2, 0.3), script.call(0, "Recv", 0.7, 0.8), size=50)
    script.message(script.call(1, "Ssend", 0.9, 1.6), script.call(0, "Recv", 1.5, 1.6))
    script.message(script.call(2, "Ssend", 1.0, 1.5), script.call(0, "Recv", 1.4, 1.45))
    script.collective("Reduce", (2.0, 2.6), (2.5, 2.55), (2.2, 2.25), root=0)
    script.collective("Scan", (3.5, 3.52), (3, 3.55), (3.6, 3.65))
    script.collective("Bcast", (4.4, 4.42), (4, 4.45), (4.1, 4.45), root=0)
    script.collective("Allreduce", (5, 5.5), (5.4, 5.45), (5.4, 5.45))
    script.collective("Barrier", (6, 6.5), (6.3, 6.4), (6.3, 6.4))
    for rank, when in enumerate((6.6, 6.9, 6.9)):
        script.window(rank, "Win_fence", when, 6.95)
    script.window(0, "Win_post", 7.2, 7.21, 1)
    script.window(1, "Win_start", 7, 7.25, 0)
    script.window(1, "Put", 7.3, 7.31, 0, size=8)
    script.window(1, "Win_complete", 7.6, 7.61)
    script.window(0, "Win_wait", 7.3, 7.65)
    for rank, ask, free in ((1, 7.8, 8.2), (2, 7.9, 8.4)):
        got = ask + 0.01 if rank == 1 else 8.25
        script.window(rank, "Win_lock", ask, got, 0, exclusive=True)
        script.window(rank, "Win_unlock", free, free + 0.01, 0)
    script.call(0, "File_read", 8.5, 8.6)
    script.call(0, "File_read_all", 8.7, 8.8)
    return script


@pytest.fixture
def everything(tmp_path: Path) -> Cube:
    return analysed(each_kind(tmp_path))


_WAITS = {
    ("Point-to-point", "Late Sender"): {("MPI_Recv", 0): 0.4},
    ("Late Sender", "Messages in Wrong Order"): {("MPI_Recv", 0): 0.4},
    ("Late Receiver",): {("MPI_Ssend", 1): 0.6, ("MPI_Ssend", 2): 0.4},
    ("Late Receiver", "Messages in Wrong Order"): {("MPI_Ssend", 2): 0.4},
    ("Early Reduce",): {("MPI_Reduce", 0): 0.5},
    ("Early Scan",): {("MPI_Scan", 1): 0.5},
    ("Late Broadcast",): {("MPI_Bcast", 1): 0.4, ("MPI_Bcast", 2): 0.3},
    ("Wait at NxN",): {("MPI_Allreduce", 0): 0.4},
    ("NxN Completion",): {("MPI_Allreduce", 0): 0.05},
    ("MPI", "Synchronization", "Barrier", "Wait at Barrier"): {("MPI_Barrier", 0): 0.3},
    ("MPI", "Synchronization", "Barrier", "Barrier Completion"): {("MPI_Barrier", 0): 0.1},
    ("Wait at Fence",): {("MPI_Win_fence", 0): 0.3},
    ("Late Post",): {("MPI_Win_start", 1): 0.2},
    ("Early Wait",): {("MPI_Win_wait", 0): 0.3},
    ("Wait for Lock",): {("MPI_Win_lock", 2): 0.31},
    ("File I/O",): {("MPI_File_read", 0): 0.1, ("MPI_File_read_all", 0): 0.1},
    ("File I/O", "Individual"): {("MPI_File_read", 0): 0.1},
    ("File I/O", "Collective"): {("MPI_File_read_all", 0): 0.1},
}


@pytest.mark.parametrize("names", _WAITS)
def test_each_wait_is_a_property(everything: Cube, names: tuple[str, ...]) -> None:
    found = {(word, who): value for (word, who, _), value in cells(everything, *names).items()}
    assert found == _WAITS[names]


def test_operations_and_bytes(everything: Cube) -> None:
    def total(*names: str) -> float:
        return sum(cells(everything, *names).values())

    assert total("Messages", "Sent") == total("Messages", "Received") == 4
    assert total("Bytes", "Sent") == total("Bytes", "Received") == 100 + 50 + 8 + 8
    assert total("Collective Operations") == 4 * 3
    assert total("Collective, out") == 5 * 3 * 16
    assert total("Collective, in") == 5 * 3 * 24
    assert total("Bytes", "One-sided") == 8
    assert total("Bytes") == 2 * 166 + 5 * 3 * (16 + 24) + 8
    assert total("MPI Synchronizations") == 3 + 3 + 4 + 4
    assert total("Synchronizations") == total("MPI Synchronizations") + 2 * 3


def test_threads_of_all_processes_are_compared(sweep: Cube) -> None:
    """The same region takes four seconds on two of them and two on the others."""
    assert cells(sweep, "Overload") == {("parallel", 0, 0): 1, ("parallel", 0, 1): 1}
    assert cells(sweep, "Underload") == {("parallel", 1, 0): 1, ("parallel", 1, 1): 1}


def test_the_critical_path_goes_from_process_to_process(tmp_path: Path) -> None:
    """Rank 1 ends last, which has waited for rank 0 up to 6."""
    script = Script(
        2,
        threads=2,
        traces=(process(tmp_path, 0, *hybrid(1, 5)), process(tmp_path, 1, *hybrid(7, 9))),
        offsets=(0.0, 0.5),
    )
    send = script.call(0, "Send", 6, 6.2, path=MAIN)
    script.message(send, script.call(1, "Recv", 2.5, 6.5, path=MAIN))
    cube = analysed(script)
    assert cells(cube, "Critical path") == {
        ("function", 0, 0): 2,
        ("parallel", 0, 0): 4,
        ("MPI_Recv", 1, 0): 0.5,
        ("function", 1, 0): 2,
        ("parallel", 1, 0): 2,
    }
    assert sum(cells(cube, "Performance impact").values()) == pytest.approx(4 * 10.5)
    imbalance = cells(cube, "Critical-path imbalance")
    mean = (4 + 4 + 2 + 2) / 4
    assert imbalance["parallel", 0, 0] == pytest.approx((6 - mean) * 4 / 6, abs=1e-6)


def test_the_critical_path_goes_through_collective_operations(tmp_path: Path) -> None:
    """Rank 1 is late for the first, and rank 0 for the second."""
    streams = [hybrid(9, 9.5), hybrid(9, 9.5)]
    traces = tuple(process(tmp_path, rank, *each) for rank, each in enumerate(streams))
    script = Script(2, threads=2, traces=traces, offsets=(0.0, 0.001))
    for since, until, name in (((1, 3), 3.1, "Barrier"), ((7, 5), 7.1, "Allreduce")):
        calls = [script.call(r, name, since[r], until, path=MAIN) for r in (0, 1)]
        script.together(*calls)
    found = cells(analysed(script), "Critical path")
    assert found == {
        ("function", 1, 0): pytest.approx(3 + 1.901 + 0.5, abs=2e-3),
        ("function", 0, 0): pytest.approx(7 - 3.1, abs=2e-3),
        ("MPI_Barrier", 0, 0): 0.1,
        ("MPI_Allreduce", 1, 0): 0.1,
        ("parallel", 1, 0): 0.5,
    }


def alone(folder: Path, ranks: int) -> Script:
    """Processes of one thread that are in `main` all the time."""
    stream = [opened(0, Kind.USER, MAIN), leave(10, MAIN)]
    return Script(ranks, traces=tuple(process(folder, rank, stream) for rank in range(ranks)))


def test_a_delay_is_the_work_that_who_is_late_has_beyond(sweep: Cube) -> None:
    assert cells(sweep, "MPI delay") == {("parallel", 0, 0): 4}
    assert cells(sweep, "MPI short-term") == {("parallel", 0, 0): 4}
    assert cells(sweep, "Direct") == {("MPI_Recv", 1, 0): 4}
    assert cells(sweep, "Terminal") == {("MPI_Recv", 1, 0): 4}


def test_a_wait_makes_others_wait(tmp_path: Path) -> None:
    """Rank 1 waits for 0 up to 5, and 2 for 1 up to 6: four of its five seconds are rank 0's."""
    script = alone(tmp_path, 3)
    first = script.call(0, "Send", 5, 5.1, path=MAIN)
    script.message(first, script.call(1, "Recv", 1, 5, path=MAIN))
    second = script.call(1, "Send", 6, 6.1, path=MAIN)
    script.message(second, script.call(2, "Recv", 1, 6, path=MAIN))
    cube = analysed(script)
    assert cells(cube, "MPI short-term") == {("function", 0, 0): 4, ("function", 1, 0): 1}
    assert cells(cube, "MPI long-term") == {("function", 0, 0): 4}
    assert cells(cube, "MPI delay") == {("function", 0, 0): 8, ("function", 1, 0): 1}
    assert cells(cube, "Direct") == {("MPI_Recv", 1, 0): 4, ("MPI_Recv", 2, 0): 1}
    assert cells(cube, "Indirect") == {("MPI_Recv", 2, 0): 4}
    assert cells(cube, "Propagating") == {("MPI_Recv", 1, 0): 4}
    assert cells(cube, "Terminal") == {("MPI_Recv", 2, 0): 5}


def test_only_what_was_done_since_they_met_is_a_delay(tmp_path: Path) -> None:
    """Rank 1 works more before the first barrier, and rank 0 as much more before the second; the
    next two send each other a message first."""
    script = alone(tmp_path, 2)
    for since in ((1, 2), (4, 3)):
        parts = [script.call(r, "Barrier", since[r], max(since), path=MAIN) for r in (0, 1)]
        script.together(*parts)
    sent = script.call(1, "Send", 5, 5, path=MAIN)
    script.message(sent, script.call(0, "Recv", 4.5, 5, path=MAIN))
    sent = script.call(0, "Send", 7, 7, path=MAIN)
    script.message(sent, script.call(1, "Recv", 6, 7, path=MAIN))
    cube = analysed(script)
    assert cells(cube, "MPI short-term") == {
        ("function", 0, 0): 1 + 1,
        ("function", 1, 0): 1 + 0.5,
    }
    assert cells(cube, "MPI long-term") == {}


def team_until(since: float, until: float, other: float) -> tuple[Stream, Stream]:
    """A region from `since` on that the master works in up to `until`, and the worker up to
    `other`; outside it the process is in no region."""
    join = max(until, other)
    master = [
        fork(since, PARALLEL, TEAM), begin(since, PARALLEL),
        *ending(PARALLEL, TEAM, until, join, join),
    ]  # fmt: skip
    return master, [member(since, PARALLEL, TEAM, since), *departing(PARALLEL, other, join)]


def test_a_delay_stands_at_the_thread_that_was_slow(tmp_path: Path) -> None:
    """In rank 1 the worker has four seconds to do in the region, and its master one; in rank 0 both
    have two."""
    teams = team_until(1, 3, 3), team_until(1, 2, 5)
    traces = tuple(process(tmp_path, rank, *each) for rank, each in enumerate(teams))
    script = Script(2, threads=2, traces=traces)
    script.collective("Allreduce", (3, 5.1), (5, 5.1))
    cube = analysed(script)
    assert cells(cube, "MPI short-term") == {("parallel", 1, 1): 2}
    assert cells(cube, "Direct")["MPI_Allreduce", 0, 0] == 2


def test_serial_work_in_no_region_is_a_delay_at_the_program(tmp_path: Path) -> None:
    teams = team_until(1, 2, 2), team_until(1, 2, 2)
    traces = tuple(process(tmp_path, rank, *each) for rank, each in enumerate(teams))
    script = Script(2, threads=2, traces=traces)
    script.collective("Allreduce", (3, 6.1), (6, 6.1))
    cube = analysed(script)
    assert cells(cube, "MPI short-term") == {("app", 1, 0): 3}
    assert cells(cube, "Indirect") == {}


def test_fences_are_meetings(tmp_path: Path) -> None:
    """What rank 0 did more before the first fence is no delay at the second."""
    script = alone(tmp_path, 2)
    for enters in ((4, 2), (5, 6)):
        for rank, enter in enumerate(enters):
            script.window(rank, "Win_fence", enter, max(enters) + 0.1).path = MAIN
    cube = analysed(script)
    assert cells(cube, "MPI short-term") == {
        ("function", 0, 0): pytest.approx(2),
        ("function", 1, 0): pytest.approx(1),
    }


def test_nothing_at_the_begin_and_end_of_mpi_is_a_finding(tmp_path: Path) -> None:
    """Threads are idle there, which the tree of properties tells."""
    script = swept(tmp_path)
    for rank in (0, 1):
        script.call(rank, "Finalize", 9.5, 9.9, path=MAIN)
    cube = analysed(script)
    idle = cells(cube, "Idle Threads")
    assert idle["MPI_Init", 0, 1] == 0.5 and idle["MPI_Finalize", 1, 1] == 0.4
    found = {cube.word_of(each.path) for each in findings(cube)}
    assert "MPI_Recv" in found
    assert not found & {"MPI_Init", "MPI_Finalize"}


def test_all_delays_are_all_waits(everything: Cube) -> None:
    def total(*names: str) -> float:
        return sum(cells(everything, *names).values())

    waits = total("Direct") + total("Indirect")
    assert waits == pytest.approx(total("Propagating") + total("Terminal"))
    assert total("MPI delay") == pytest.approx(waits, abs=1e-6)
    alone = total("Wait states")
    assert alone == pytest.approx(waits)
