"""A task that is cancelled in the barrier at a region's end is no wait there."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from pomp_clang.experiment.reader import read
from tests.barriers.harness import LATE, MODES, PROGRAMS
from tests.compilers import links_openmp
from tests.trace.agreement import disagreements

CASES = [("clang-19", mode) for mode in MODES] + [("gcc", "arrival"), ("gcc", "explicit")]


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize(("who", "thread"), [("initial", 0), ("worker", 1)])
@pytest.mark.parametrize(("compiler", "mode"), CASES)
def test_a_task_that_is_cancelled_in_the_barrier_is_no_wait(
    compiler: str, mode: str, who: str, thread: int, times: int, tmp_path: Path
) -> None:
    if not links_openmp(compiler):
        pytest.skip(f"{compiler} is not here, or has no OpenMP runtime")
    program = tmp_path / "program"
    command = [compiler, "-fopenmp", "-O1", str(PROGRAMS / "cancelled_task.c"), "-o", str(program)]
    pomp_command = ["pomp-clang", "--pomp-strict", f"--pomp-barriers={mode}", "--"]
    subprocess.run([*pomp_command, *command], check=True)
    settings = {"POMP_EXPERIMENT_DIR": "run", "POMP_TRACE": "1", "OMP_CANCELLATION": "true"}
    environment = os.environ | settings
    subprocess.run([program, who, str(times)], cwd=tmp_path, env=environment, check=True)
    experiment = read(str(tmp_path / "run"))
    kinds = {region.id: region.kind for region in experiment.regions}
    rows = {(kinds[ident], tid): row for (ident, tid), row in experiment.profile.items()}
    region, task = rows["parallel", thread], rows["task", thread]
    assert task.execC == times
    assert region.taskT == pytest.approx(task.execT, abs=1e-6 * times)
    assert region.exitBarT >= 0.7 * LATE * times
    assert not list(disagreements(tmp_path / "run"))
    if mode != "arrival":
        return
    parts = region.startupT + region.bodyT + region.taskT + region.exitBarT + region.shutdwnT
    assert parts == pytest.approx(region.execT, abs=1e-6 * times)
