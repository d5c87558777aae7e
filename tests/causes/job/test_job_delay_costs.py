"""The critical path of a job and the delays that its waits go back to, computed by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.causes.cube.cube import Cube
from tests.causes.jobs import Script
from tests.causes.mpi_jobs import alone, analysed, cells, each_kind, hybrid, process, swept
from tests.causes.scripts import (
    MAIN,
    PARALLEL,
    TEAM,
    Stream,
    begin,
    departing,
    ending,
    fork,
    member,
)


@pytest.fixture
def sweep(tmp_path: Path) -> Cube:
    return analysed(swept(tmp_path))


@pytest.fixture
def everything(tmp_path: Path) -> Cube:
    return analysed(each_kind(tmp_path))


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
    traces = tuple(process(tmp_path, rank, *stream) for rank, stream in enumerate(streams))
    script = Script(2, threads=2, traces=traces, offsets=(0.0, 0.001))
    for since, until, name in (((1, 3), 3.1, "Barrier"), ((7, 5), 7.1, "Allreduce")):
        calls = [script.call(r, name, since[r], until, path=MAIN) for r in (0, 1)]
        script.together(*calls)
    actual = cells(analysed(script), "Critical path")
    assert actual == {
        ("function", 1, 0): pytest.approx(3 + 1.901 + 0.5, abs=2e-3),
        ("function", 0, 0): pytest.approx(7 - 3.1, abs=2e-3),
        ("MPI_Barrier", 0, 0): 0.1,
        ("MPI_Allreduce", 1, 0): 0.1,
        ("parallel", 1, 0): 0.5,
    }


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
    """Rank 1 works more before the first barrier, and rank 0 as much more before the second. Before
    the next two barriers, the ranks send each other a message."""
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
    """Return a region from `since` on in which the master works until `until` and the worker until
    `other`.

    Outside the region, the process is in no region.
    """
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
    traces = tuple(process(tmp_path, rank, *team) for rank, team in enumerate(teams))
    script = Script(2, threads=2, traces=traces)
    script.collective("Allreduce", (3, 5.1), (5, 5.1))
    cube = analysed(script)
    assert cells(cube, "MPI short-term") == {("parallel", 1, 1): 2}
    assert cells(cube, "Direct")["MPI_Allreduce", 0, 0] == 2


def test_serial_work_in_no_region_is_a_delay_at_the_program(tmp_path: Path) -> None:
    teams = team_until(1, 2, 2), team_until(1, 2, 2)
    traces = tuple(process(tmp_path, rank, *team) for rank, team in enumerate(teams))
    script = Script(2, threads=2, traces=traces)
    script.collective("Allreduce", (3, 6.1), (6, 6.1))
    cube = analysed(script)
    assert cells(cube, "MPI short-term") == {("app", 1, 0): 3}
    assert cells(cube, "Indirect") == {}


def test_fences_are_meetings(tmp_path: Path) -> None:
    """Rank 0's additional work before the first fence is no delay at the second."""
    script = alone(tmp_path, 2)
    for enters in ((4, 2), (5, 6)):
        for rank, enter in enumerate(enters):
            script.window(rank, "Win_fence", enter, max(enters) + 0.1).path = MAIN
    cube = analysed(script)
    assert cells(cube, "MPI short-term") == {
        ("function", 0, 0): pytest.approx(2),
        ("function", 1, 0): pytest.approx(1),
    }


def test_all_delays_are_all_waits(everything: Cube) -> None:
    def total(*names: str) -> float:
        return sum(cells(everything, *names).values())

    waits = total("Direct") + total("Indirect")
    assert waits == pytest.approx(total("Propagating") + total("Terminal"))
    assert total("MPI delay") == pytest.approx(waits, abs=1e-6)
    alone = total("Wait states")
    assert alone == pytest.approx(waits)
