"""Page faults of memory that a program gives back and takes again are a finding, with the system's count."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from pomp_clang.analysis.overheads import analyze_overheads
from pomp_clang.analysis.profile import flat_profile
from pomp_clang.analysis.properties import PropertyFinding, find_properties
from pomp_clang.experiment.model import Experiment
from pomp_clang.experiment.reader import read
from tests.causes.programs.measured import build
from tests.compilers import links_openmp

_PROGRAM = """
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
enum { SIZE = 32 << 20 };
static long faults(void) {
  struct rusage use;
  getrusage(RUSAGE_SELF, &use);
  return use.ru_minflt + use.ru_majflt;
}
static char *memory(void) {
  char *m = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  madvise(m, SIZE, MADV_NOHUGEPAGE);
  return m;
}
int main(void) {
  long before = 0;
  char *m = %s ? memory() : NULL;
  for (int turn = 0; turn < 10; turn++) {
    char *mine = m ? m : memory();
    #pragma omp parallel for num_threads(2)
    for (int i = 0; i < SIZE; i += 4096)
      mine[i] = 1;
    if (!m)
      munmap(mine, SIZE);
    if (turn == 0)
      before = faults();
  }
  printf("%%ld\\n", faults() - before);
}
"""


def _measured(kept: bool, compiler: str, folder: Path, **settings: str) -> tuple[int, Experiment]:
    """Return the page faults that the program counts from its second turn on, and its experiment."""
    if not links_openmp(compiler):
        pytest.skip(f"{compiler} with its OpenMP runtime is not here")
    build(compiler, _PROGRAM % int(kept), folder)
    environment = os.environ | {"POMP_EXPERIMENT_DIR": "run"} | settings
    result = subprocess.run(
        ["./app"], cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return int(result.stdout), read(str(folder / "run"))


def _finding(run: Experiment) -> PropertyFinding | None:
    profiles = flat_profile(run)
    findings = find_properties(profiles, analyze_overheads(run, profiles))
    return next((finding for finding in findings if finding.name == "PageFaults"), None)


@pytest.mark.parametrize("compiler", ["clang-19", "gcc"])
def test_memory_that_comes_anew_each_time(compiler: str, tmp_path: Path) -> None:
    counted, run = _measured(False, compiler, tmp_path)
    assert run.memory is not None
    first_turn = (32 << 20) // 4096
    assert counted + first_turn <= run.memory.page_faults < counted + first_turn + 2000
    assert first_turn < run.memory.peak_pages < 2 * first_turn
    finding = _finding(run)
    assert finding is not None
    assert finding.severity == run.memory.systemT > 0
    assert finding.text.startswith(
        f"{run.memory.page_faults} page faults take the operating system"
    )
    times = run.memory.page_faults / run.memory.peak_pages
    assert finding.text.endswith(f"each page of memory comes {times:.1f} times on average.")
    gain, once = finding.gain(2), 1 / times
    assert gain == pytest.approx(finding.severity * (1 - once) / 2), "each page comes once anyway"


def test_memory_that_is_kept(tmp_path: Path) -> None:
    counted, run = _measured(True, "gcc", tmp_path)
    assert run.memory is not None
    assert run.memory.peak_pages > (32 << 20) // 4096
    assert counted < 100
    assert _finding(run) is None


def test_a_trace_takes_memory_itself(tmp_path: Path) -> None:
    _, run = _measured(False, "gcc", tmp_path, POMP_TRACE="1")
    assert run.memory is None
