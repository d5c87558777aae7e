"""Programs whose worst inefficiency `analyze` and `report` have to show first."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.analysis.overheads import analyze_overheads
from pomp_clang.analysis.profile import flat_profile
from pomp_clang.analysis.properties import find_properties
from pomp_clang.causes.cube.cube import compute
from pomp_clang.causes.findings.findings import findings
from pomp_clang.causes.properties.registry import properties
from pomp_clang.causes.what_if.predict_gain import gain_of
from pomp_clang.experiment.reader import read
from tests.causes.programs import PROGRAMS
from tests.causes.programs.measured import build, traced
from tests.causes.programs.program import source_of
from tests.compilers import links_openmp

TRIES = 3
"""Runs: another program that takes a processor makes threads wait for the one that lost it."""

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


@pytest.fixture
def soon_asleep(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let libomp's threads spin for a millisecond before they sleep: to wake one up takes up to
    0.1 ms, which is no longer the price of a barrier."""
    monkeypatch.setenv("KMP_BLOCKTIME", "1")


def ranked_names(compiler: str, body: str, top: str, folder: Path) -> tuple[list[str], list[str]]:
    """Return the names of causes, and of properties beyond one percent, the worst first."""
    if not links_openmp(compiler):
        pytest.skip(f"{compiler} with its OpenMP runtime is not here")
    build(compiler, source_of(body, top), folder)
    _, run = traced(folder)
    kinds = properties()
    cube = compute(run, kinds)
    result = findings(cube, 10, lambda item, _: gain_of(run, kinds[item.metric], item.path))
    experiment = read(str(folder / "run"))
    profiles = flat_profile(experiment)
    known = find_properties(profiles, analyze_overheads(experiment, profiles))
    names = [finding.name for finding in known if finding.share > 0.01]
    return [cube.metrics[finding.metric].name for finding in result], names


@pytest.mark.parametrize("compiler", ["clang-19", "gcc"])
@pytest.mark.parametrize("name", FIRST)
@pytest.mark.usefixtures("soon_asleep")
def test_the_worst_is_told_first(name: str, compiler: str, tmp_path: Path) -> None:
    program = PROGRAMS[name]
    for turn in range(TRIES):
        causes, names = ranked_names(compiler, program.body, program.top, tmp_path / str(turn))
        is_first = (causes[0], names[0]) == FIRST[name]
        if is_first and not any(name.startswith("Imbalance") for name in names):
            return
    raise AssertionError(f"the last of {TRIES} runs: {causes[:1]}, {names}")


@pytest.mark.parametrize("compiler", ["clang-19", "gcc"])
def test_tiny_regions_are_not_called_imbalance(compiler: str, tmp_path: Path) -> None:
    """Starting and ending teams costs most, with the barriers; no thread has more work."""
    causes, names = ranked_names(compiler, REGIONS, "", tmp_path)
    assert causes[0] in {"Fork", "Join", "Barrier Completion"}
    assert names[0] in ("ManagementOverhead", "BarrierOverhead")
    assert not any(name.startswith("Imbalance") for name in names)
