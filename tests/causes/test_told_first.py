"""Programs whose worst inefficiency has to be told first, by `analyze` and by `report`."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.analysis.overheads import analyse
from pomp_clang.analysis.profile import flat_profile
from pomp_clang.analysis.properties import find
from pomp_clang.causes.cube import compute
from pomp_clang.causes.findings import findings
from pomp_clang.causes.predict import gain_of
from pomp_clang.causes.registry import properties
from pomp_clang.experiment.reader import read
from tests.causes.programs import PROGRAMS
from tests.causes.programs.measured import build, traced
from tests.causes.programs.program import source_of
from tests.compilers import links_openmp

REGIONS = """
  for (int turn = 0; turn < 20000; turn++) {
    #pragma omp parallel num_threads(2)
    (void)omp_get_thread_num();
  }
"""

BARRIER = ("Barrier Completion", "BarrierOverhead")
CANCELLED = ("Wait after Cancellation", "WaitAfterCancellation")
FIRST = {
    "storm of barriers": BARRIER,
    "storm of loops": BARRIER,
    "storm of singles": BARRIER,
    "cancelled loop": CANCELLED,
    "cancelled sections": CANCELLED,
    "cancelled region": CANCELLED,
    "cancelled combined loop": CANCELLED,
}


def told(compiler: str, body: str, top: str, folder: Path) -> tuple[list[str], list[str]]:
    """Return the names of causes, and of properties beyond one percent, the worst first."""
    if not links_openmp(compiler):
        pytest.skip(f"{compiler} with its OpenMP runtime is not here")
    build(compiler, source_of(body, top), folder)
    _, run = traced(folder)
    kinds = properties()
    cube = compute(run, kinds)
    found = findings(cube, 10, lambda each, _: gain_of(run, kinds[each.metric], each.path))
    experiment = read(str(folder / "run"))
    profiles = flat_profile(experiment)
    known = find(profiles, analyse(experiment, profiles))
    names = [each.name for each in known if each.share > 0.01]
    return [cube.metrics[each.metric].name for each in found], names


@pytest.mark.parametrize("compiler", ["clang-19", "gcc"])
@pytest.mark.parametrize("name", FIRST)
def test_the_worst_is_told_first(name: str, compiler: str, tmp_path: Path) -> None:
    program = PROGRAMS[name]
    causes, names = told(compiler, program.body, program.top, tmp_path)
    assert (causes[0], names[0]) == FIRST[name]
    assert not any(each.startswith("Imbalance") for each in names)


@pytest.mark.parametrize("compiler", ["clang-19", "gcc"])
def test_tiny_regions_are_not_called_imbalance(compiler: str, tmp_path: Path) -> None:
    """To start and end teams costs most, and their barriers; no thread has more work.  What the
    measurement adds to so tiny a region may be among the worst."""
    causes, names = told(compiler, REGIONS, "", tmp_path)
    causes = [each for each in causes if each != "Overhead"]
    assert set(causes[:2]) <= {"Fork", "Join", "Barrier Completion"}
    assert names[0] in ("ManagementOverhead", "BarrierOverhead")
    assert not any(each.startswith("Imbalance") for each in names)
