"""A job's processes in one cube: MPI beside OpenMP, computed by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.causes.cube.cube import Cube
from pomp_clang.causes.findings.findings import findings
from tests.causes.jobs import Script
from tests.causes.mpi_jobs import analysed, cells, hybrid, process, swept
from tests.causes.scripts import (
    BARRIER,
    MAIN,
    PARALLEL,
    TEAM,
    barrier,
    begin,
    departing,
    ending,
    fork,
    member,
)


@pytest.fixture
def sweep(tmp_path: Path) -> Cube:
    return analysed(swept(tmp_path))


def test_time_is_that_of_all_processes(sweep: Cube) -> None:
    assert sweep.duration == pytest.approx(10)
    assert round(sum(cells(sweep, "Time").values()), 6) == 40
    assert [(thread.process, thread.thread) for thread in sweep.threads] == [
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
    """Computation in `main` is outside regions, from 0.5 on, without the calls and the region."""
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
    expected = {}
    moment = 1.0
    for kind, names in kinds.items():
        expected[kind] = {(f"MPI_{name}", 0, 0): 0.1 for name in names}
        for name in names:
            script.call(0, name, moment, moment + 0.1, path=MAIN)
            moment += 0.2
    script.call(0, "File_write_all", 5, 5.1, path=MAIN)
    script.call(0, "Allreduce", 6, 6.1, path=MAIN)
    script.call(0, "Type_commit", 7, 7.1, path=MAIN)
    cube = analysed(script)
    actual = {kind: cells(cube, "MPI", kind) for kind in kinds if kind in _directly(cube)}
    actual |= {kind: cells(cube, kind) for kind in ("Point-to-point", "Individual")}
    actual["One-sided"] = cells(cube, "Communication", "One-sided")
    assert actual == expected
    assert cells(cube, "Communication", "Collective") == {("MPI_Allreduce", 0, 0): 0.1}
    assert cells(cube, "File I/O", "Collective") == {("MPI_File_write_all", 0, 0): 0.1}
    assert cells(cube, "Execution", "MPI")["MPI_Type_commit", 0, 0] == 0.1


def _directly(cube: Cube) -> set[str]:
    return {
        metric.name
        for row, metric in enumerate(cube.metrics)
        if cube.metric_path(row)[:-1] == ["Time", "Execution", "MPI"]
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


def test_threads_of_all_processes_are_compared(sweep: Cube) -> None:
    """The same region takes four seconds on two of them and two on the others."""
    assert cells(sweep, "Overload") == {("parallel", 0, 0): 1, ("parallel", 0, 1): 1}
    assert cells(sweep, "Underload") == {("parallel", 1, 0): 1, ("parallel", 1, 1): 1}


def test_nothing_at_the_begin_and_end_of_mpi_is_a_finding(tmp_path: Path) -> None:
    """Threads are idle there, which the tree of properties tells."""
    script = swept(tmp_path)
    for rank in (0, 1):
        script.call(rank, "Finalize", 9.5, 9.9, path=MAIN)
    cube = analysed(script)
    idle = cells(cube, "Idle Threads")
    assert idle["MPI_Init", 0, 1] == 0.5 and idle["MPI_Finalize", 1, 1] == 0.4
    actual = {cube.word_of(finding.path) for finding in findings(cube)}
    assert "MPI_Recv" in actual
    assert not actual & {"MPI_Init", "MPI_Finalize"}
