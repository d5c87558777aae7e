"""Regions that are cancelled: their ends, as they are recorded where barriers are made explicit."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.causes.cube.cube import compute
from pomp_clang.causes.properties.registry import properties
from pomp_clang.trace.layout import Kind, Op
from tests.causes.programs.measured import build, traced
from tests.causes.scripts import (
    BARRIER,
    CANCEL,
    LOOP,
    PARALLEL,
    TEAM,
    begin,
    cells,
    cube_of,
    ending,
    event,
    fork,
    leave,
    member,
    opened,
    total,
)
from tests.compilers import links_openmp

PROGRAM = r"""
#include <omp.h>
#include <time.h>
static void naps(double seconds) {
  struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  nanosleep(&t, 0);
}
int main(void) {
  #pragma omp parallel num_threads(3)
  naps(0.01);
  #pragma omp parallel num_threads(3)
  switch (omp_get_thread_num()) {
  case 0:
    naps(0.1);
    #pragma omp barrier
    break;
  case 1:
    naps(0.2);
    #pragma omp cancel parallel
    break;
  default:
    naps(0.5);
    #pragma omp cancellation point parallel
    naps(9);
  }
  return 0;
}
"""


def test_who_has_cancelled_waits_for_those_who_have_not_seen_it(tmp_path: Path) -> None:
    """The master is in a barrier from 2 on. The first worker cancels at 3, and the second sees it
    at 5.5; at 6 all are back."""
    cube = cube_of(
        tmp_path,
        [
            fork(1, PARALLEL, TEAM), begin(1, PARALLEL), opened(2, Kind.BARRIER, BARRIER),
            leave(6, BARRIER), leave(6, PARALLEL), event(6, Op.JOINED, 0, TEAM),
        ],
        [member(1, PARALLEL, TEAM, 1), opened(3, Kind.CANCEL, CANCEL), leave(6, CANCEL),
         leave(6, PARALLEL)],
        [member(1, PARALLEL, TEAM, 1), opened(5.5, Kind.CANCEL, CANCEL), leave(6, CANCEL),
         leave(6, PARALLEL)],
    )  # fmt: skip
    assert cells(cube, "Implicit") == {(10, 0): 4, (10, 1): 3, (10, 2): 0.5}
    assert cells(cube, "Implicit", "Wait at Barrier") == {(10, 0): 3.5, (10, 1): 2.5}
    assert total(cube, "Explicit") == 0
    assert cells(cube, "Short-term") == {(10, 2): 6}
    assert cells(cube, "Critical path") == {(0, 0): 5, (10, 0): 0.5, (10, 2): 4.5}
    assert cells(cube, "Overload") == {(10, 2): 2}
    assert cells(cube, "Underload") == {(10, 0): 1.5, (10, 1): 0.5}
    assert total(cube, "Time") == 30


def test_who_has_cancelled_a_loop_is_in_its_barrier(tmp_path: Path) -> None:
    cube = cube_of(
        tmp_path,
        [
            fork(1, PARALLEL, TEAM), begin(1, PARALLEL), opened(1, Kind.WORK, LOOP),
            opened(2, Kind.CANCEL, CANCEL), leave(4, CANCEL), leave(4, LOOP),
            *ending(PARALLEL, TEAM, 5, 5, 5),
        ],
    )  # fmt: skip
    assert cells(cube, "Implicit") == {(20, 0): 2}
    assert cells(cube, "Execution") == {(0, 0): 6, (10, 0): 1, (20, 0): 3}


def test_a_barrier_in_which_the_program_ended_is_that(tmp_path: Path) -> None:
    cube = cube_of(
        tmp_path,
        [fork(1, PARALLEL, TEAM), begin(1, PARALLEL), opened(4, Kind.BARRIER, BARRIER)],
        [member(1, PARALLEL, TEAM, 1), opened(6, Kind.CANCEL, CANCEL)],
    )
    assert cells(cube, "Explicit") == {(40, 0): 6}
    assert total(cube, "Implicit") == 0


@pytest.mark.parametrize("compiler", ["clang-19", "gcc"])
def test_a_program_that_cancels(
    compiler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not links_openmp(compiler):
        pytest.skip(f"{compiler} with its OpenMP runtime is not here")
    monkeypatch.setenv("OMP_CANCELLATION", "true")
    build(compiler, PROGRAM, tmp_path)
    _, run = traced(tmp_path)
    actual = cells(compute(run, properties()), "Implicit", "Wait at Barrier")
    line = PROGRAM.splitlines().index("  switch (omp_get_thread_num()) {")
    waits = [actual.get((line, thread), 0.0) for thread in range(3)]
    assert waits == pytest.approx([0.4, 0.3, 0], abs=0.05)
