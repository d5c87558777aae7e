"""Waits for other processes, each at its call, and the exchanged data: computed by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.causes.cube.cube import Cube
from tests.causes.jobs import Script
from tests.causes.mpi_jobs import analysed, cells, each_kind, hybrid, process
from tests.causes.scripts import MAIN, PARALLEL


@pytest.fixture
def everything(tmp_path: Path) -> Cube:
    return analysed(each_kind(tmp_path))


def test_every_wait_stands_at_its_call(tmp_path: Path) -> None:
    """In the region of each thread its own, and outside; both processes come at 5 or 8."""
    script = Script(
        2,
        threads=2,
        traces=(process(tmp_path, 0, *hybrid(1, 5)), process(tmp_path, 1, *hybrid(1, 5))),
    )
    in_region = [script.call(rank, "Recv", 2, 4.5, thread=1, path=PARALLEL) for rank in (0, 1)]
    for rank in (0, 1):
        send_begin = 3 + rank / 2
        send = script.call(1 - rank, "Send", send_begin, send_begin + 0.1, path=PARALLEL)
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
    actual = {(word, who): value for (word, who, _), value in cells(everything, *names).items()}
    assert actual == _WAITS[names]


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
