"""Costs whose size no program can choose: flushes, which are an instruction, and the measurement.

Each cost lies between bounds that the program's own clock gives.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.causes.cube.cube import compute
from pomp_clang.causes.findings.finding import finding_title
from pomp_clang.causes.findings.findings import findings
from pomp_clang.causes.properties.registry import properties
from pomp_clang.experiment.reader import read
from tests.causes.programs.measured import build, traced
from tests.causes.scripts import cells, total
from tests.compilers import links_openmp

_HEAD = r"""
#include <stdio.h>
#include <time.h>
enum { BATCHES = 1000, TURNS = 50 };
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static double least(double one, double other) { return one < other ? one : other; }
static volatile unsigned word;
/* In registers: how soon a load has what was stored before it depends on what else was run. */
static void work(void) {
  unsigned x = word;
  for (int i = 0; i < 150; i++) x = x * 1664525 + 1013904223;
  word = x;
}
"""

FLUSHES = (
    _HEAD
    + r"""
int main(void) {
  double whole = 0, bare = 1;
  for (int i = 0; i < BATCHES; i++) {
    double since = now();
    for (volatile int j = 0; j < TURNS; j++) __sync_synchronize();
    bare = least(bare, now() - since);
  }
  for (int i = 0; i < BATCHES * TURNS; i++) {
    double since = now();
    #pragma omp flush
    whole += now() - since;
  }
  printf("%.9f %.9f\n", BATCHES * bare, whole);
  return 0;
}
"""
)

VISITS = (
    _HEAD
    + r"""
int main(void) {
  for (int i = 0; i < BATCHES * TURNS; i++) {
    #pragma pomp inst begin(step)
    work();
    #pragma pomp inst end(step)
  }
  return 0;
}
"""
)

CHUNKS = (
    _HEAD
    + r"""
int main(void) {
  double handed_out = 1, whole = 1;
  for (int turn = 0; turn < 5; turn++) {
    double since = now();
    #pragma omp parallel for schedule(dynamic) num_threads(2)
    for (int i = 0; i < 100 * BATCHES; i++) __asm__ volatile("");
    handed_out = least(handed_out, now() - since);
    since = now();
    #pragma omp parallel for schedule(static) num_threads(2)
    for (int i = 0; i < 100 * BATCHES; i++) __asm__ volatile("");
    whole = least(whole, now() - since);
  }
  printf("%.9f\n", 5 * 2 * (handed_out - whole));
  return 0;
}
"""
)

COUNTS = r"""
#include <omp.h>
int main(void) {
  int sum = 0;
  omp_lock_t lock;
  omp_init_lock(&lock);
  #pragma omp parallel num_threads(2)
  for (int i = 0; i < 7; i++) {
    #pragma pomp inst begin(step) /* visit */
    #pragma pomp inst end(step)
    #pragma omp barrier /* barrier */
    for (int j = 0; j < 3; j++) {
      #pragma omp critical /* critical */
      sum++;
    }
  }
  for (int i = 0; i < 5; i++) {
    omp_set_lock(&lock); /* lock */
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  return sum != 42;
}
"""

COVERS = ("Flush", "Chunks", "Overhead", "Visits", "Synchronizations")


@pytest.fixture(params=("clang-19", "gcc"))
def compiler(request: pytest.FixtureRequest) -> str:
    if not links_openmp(request.param):
        pytest.skip(f"{request.param} with its OpenMP runtime is not here")
    return str(request.param)


def test_flushes_take_what_the_program_measures(compiler: str, tmp_path: Path) -> None:
    """At least what bare ones take where nothing disturbs them, at most what the clock says round
    each."""
    build(compiler, FLUSHES, tmp_path)
    text, run = traced(tmp_path)
    bare, whole = map(float, text.split())
    ((_, seconds),) = cells(compute(run, properties()), "Flush").items()
    assert 0.5 * bare < seconds < whole


def test_small_chunks_cost_what_the_loop_takes_beyond_a_static_one(
    compiler: str, tmp_path: Path
) -> None:
    build(compiler, CHUNKS, tmp_path)
    text, run = traced(tmp_path)
    cube = compute(run, properties())
    seconds = sum(cells(cube, "Chunks").values())
    assert 0.3 * float(text) < seconds < 3 * float(text)
    (first, *_) = findings(cube)
    assert finding_title(cube, first) == "Cost of chunks"


def test_overhead_is_what_events_cost_times_their_number(compiler: str, tmp_path: Path) -> None:
    """The benchmark compares it with what events really cost (run.py estimates)."""
    build(compiler, VISITS, tmp_path)
    _, run = traced(tmp_path)
    costs = read(str(tmp_path / "run")).costs
    assert costs is not None
    seconds = total(compute(run, properties()), "Overhead")
    assert seconds == pytest.approx(50_000 * costs.pair)


def test_what_is_counted(compiler: str, tmp_path: Path) -> None:
    build(compiler, COUNTS, tmp_path)
    cube = compute(traced(tmp_path)[1], properties())
    line = {
        text.split("/* ")[1].split(" */")[0]: number
        for number, text in enumerate(COUNTS.split("\n"), 1)
        if "/* " in text
    }
    visits, meetings = cells(cube, "Visits"), cells(cube, "Synchronizations")
    for thread in range(2):
        assert visits[line["visit"], thread] == 7
        assert meetings[line["barrier"], thread] == 7
        assert meetings[line["critical"], thread] == 21
    assert (line["visit"], 0) not in meetings
    assert (visits[line["lock"], 0], meetings[line["lock"], 0]) == (5, 5)
