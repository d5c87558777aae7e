"""The measurement's own cost is the same in a trace and in the profile, and in no severity."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.analysis.overheads import analyze_overheads
from pomp_clang.analysis.perturbation import perturbation
from pomp_clang.analysis.profile import flat_profile
from pomp_clang.analysis.properties import find_properties
from pomp_clang.causes.cube.cube import compute
from pomp_clang.causes.properties import openmp
from pomp_clang.causes.properties.registry import properties
from pomp_clang.causes.what_if.predict_gain import gain_of
from pomp_clang.experiment.reader import read
from tests.causes.programs.measured import build, traced
from tests.causes.scenarios import SCENARIOS
from tests.causes.scenarios.scenario import analysed
from tests.causes.scripts import cells, total
from tests.compilers import links_openmp

PROGRAM = r"""
#include <omp.h>
static long sum, other, more;
int main(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
  #pragma omp parallel num_threads(2)
  {
    for (int i = 0; i < 50000; i++) {
      #pragma omp atomic
      sum += i;
    }
    for (int i = 0; i < 2000; i++) {
      #pragma omp critical
      other += i;
      omp_set_lock(&lock);
      more += i;
      omp_unset_lock(&lock);
      #pragma omp barrier
    }
    #pragma omp single
    for (int i = 0; i < 2000; i++) {
      #pragma omp task
      {
        #pragma omp atomic
        sum += i;
      }
    }
  }
  omp_destroy_lock(&lock);
  return 0;
}
"""


@pytest.mark.parametrize("compiler", ["clang-19", "gcc"])
def test_trace_and_profile_agree_on_the_cost(compiler: str, tmp_path: Path) -> None:
    """The trace has nearly all of the profile's estimate, as much as there was time for it, and at
    most the time of the updates."""
    if not links_openmp(compiler):
        pytest.skip(f"{compiler} with its OpenMP runtime is not here")
    build(compiler, PROGRAM, tmp_path)
    _, run = traced(tmp_path)
    experiment = read(str(tmp_path / "run"))
    estimate = perturbation(experiment)
    assert estimate is not None
    cube = compute(run, properties())
    least, most = (cost - estimate.barriers for cost in (estimate.total, estimate.most))
    assert 0.85 * least < total(cube, "Overhead") < 1.15 * most
    profiles = flat_profile(experiment)
    actual = find_properties(profiles, analyze_overheads(experiment, profiles))
    frequent = sum(finding.severity for finding in actual if finding.name == "FrequentAtomic")
    assert total(cube, "Atomic") == pytest.approx(frequent, rel=0.02)
    gross = sum(profile.execT for profile in profiles if profile.region.kind == "atomic")
    assert 0 < frequent < gross


def test_no_severity_has_the_cost_nor_has_its_gain(tmp_path: Path) -> None:
    """Events take 0.01 s of an atomic's 0.25 s, and 0.005 s of an ordered's wait."""
    run = analysed(SCENARIOS["what OpenMP takes"], tmp_path)
    cube = compute(run, properties())
    assert cells(cube, "Atomic") == {(170, 0): 0.24}
    assert cells(cube, "Synchronization", "Ordered") == {(80, 0): 0.495, (80, 1): 0.745}
    assert cells(cube, "Overhead")[170, 0] == 0.01
    path = next(row for row, place in enumerate(run.paths) if place.line == 170)
    assert gain_of(run, openmp.Atomic, path) == pytest.approx(0.24)
