"""The bytes of a trace that a profile tells of, against those of traces that were recorded."""

from __future__ import annotations

import os
import subprocess
import sysconfig
from pathlib import Path

import pytest

from pomp_clang.analysis.profile import flat_profile
from pomp_clang.experiment.reader import read
from pomp_clang.score.forecast import WORD, recorded
from pomp_clang.trace.blocks import TraceBlock, read_blocks
from tests.compilers import first

POMP = os.path.join(sysconfig.get_path("scripts"), "pomp-clang")
PROGRAM = """
#include <omp.h>
int x[4];
omp_lock_t lock;
__attribute__((noinline)) static void f(void) { x[0] = 1; }
int main(void) {
  omp_init_lock(&lock);
  for (int i = 0; i < 100; ++i) {
    f();
#pragma omp parallel
    {
#pragma omp for
      for (int j = 0; j < 2; ++j) x[j] = j;
#pragma omp for nowait
      for (int j = 0; j < 2; ++j) x[j] = j;
#pragma omp single
      x[0] = 1;
#pragma omp sections
      {
#pragma omp section
        x[0] = 1;
#pragma omp section
        x[1] = 1;
      }
#pragma omp critical
      x[0] = 1;
#pragma omp atomic
      x[0] += 1;
#pragma omp master
      x[0] += 1;
#pragma omp barrier
#pragma omp task
      x[1] = 1;
#pragma omp taskwait
#pragma omp taskloop num_tasks(2)
      for (int j = 0; j < 2; ++j) x[j] = j;
      omp_set_lock(&lock);
      omp_unset_lock(&lock);
    }
#pragma omp parallel for
    for (int j = 0; j < 2; ++j) x[j] = j;
  }
}
"""


def blocks_of(file: Path) -> list[TraceBlock]:
    """Return the blocks of a trace file."""
    blocks = read_blocks(file)
    assert blocks is not None
    return blocks[1]


@pytest.mark.parametrize("names", [("clang-19", "clang"), ("gcc",)], ids=["clang", "gcc"])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_profile_tells_how_large_a_trace_is(
    tmp_path: Path, names: tuple[str, ...], threads: int
) -> None:
    compiler = first(*names) or pytest.skip("the compiler is not here")
    (tmp_path / "t.c").write_text(PROGRAM)
    build = [POMP, "--pomp-functions=all", "--", compiler, "-fopenmp", "-O1", "t.c", "-o", "t"]
    subprocess.run(build, cwd=tmp_path, check=True)
    steering = {"POMP_TRACE": "1", "POMP_EXPERIMENT_DIR": "e", "OMP_NUM_THREADS": str(threads)}
    subprocess.run(["./t"], cwd=tmp_path, env=os.environ | steering, check=True)
    words = sum(
        int((block.words != 0).sum())
        for file in (tmp_path / "e").glob("trace-*")
        for block in blocks_of(file)
    )
    actual = sum(map(recorded, flat_profile(read(str(tmp_path / "e")))))
    # A thread does not record work that it finds done: a loaded machine leaves a few per cent out.
    assert actual == pytest.approx(words * WORD, rel=0.06)
