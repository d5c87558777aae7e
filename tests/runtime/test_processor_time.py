"""How long threads were on a processor: known of each thread, however it ended, and shown as time
that did not run."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from pomp_clang.analysis.run import analyze_run
from pomp_clang.experiment.model import Experiment
from pomp_clang.experiment.reader import read
from tests.causes.programs.measured import build
from tests.compilers import links_openmp

_TOP = """
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static double ran(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}
static void sleeps(double s) {
  struct timespec t = {0, (long)(s * 1e9)};
  nanosleep(&t, NULL);
}
static void computes(double s) {
  double since = ran();
  while (ran() - since < s)
    ;
}
"""
_ENDS = {
    "two threads": """
  #pragma omp parallel num_threads(2)
  {
    sleeps(0.3);
    computes(omp_get_thread_num() ? 0.02 : 0.1);
    printf("%d %.6f\\n", omp_get_thread_num(), ran());
  }
""",
    "a thread that ends before the program": """
  pthread_t other;
  #pragma omp parallel num_threads(1)
  computes(0.02);
  pthread_create(&other, NULL, works, NULL);
  pthread_join(other, NULL);
  #pragma omp parallel num_threads(1)
  printf("0 %.6f\\n", ran());
""",
    "a forked child": """
  #pragma omp parallel num_threads(1)
  computes(0.2);
  fflush(stdout);
  if (fork()) {
    wait(NULL);
    _exit(0);
  }
  #pragma omp parallel num_threads(1)
  {
    sleeps(0.1);
    computes(0.05);
  }
  printf("0 %.6f\\n", ran());
""",
}
_WORKS = """
static void *works(void *none) {
  #pragma omp parallel num_threads(1)
  {
    sleeps(0.2);
    computes(0.05);
    printf("1 %.6f\\n", ran());
  }
  return none;
}
"""
_COMPILERS = ("clang-19", "gcc")


def _ran(body: str, compiler: str, folder: Path) -> tuple[int, str]:
    """Return the exit status, and what the program printed."""
    if not links_openmp(compiler):
        pytest.skip(f"{compiler} with its OpenMP runtime is not here")
    build(compiler, f"{_TOP}{_WORKS}int main(void) {{ {body} return 0; }}\n", folder)
    environment = os.environ | {"POMP_EXPERIMENT_DIR": "run", "OMP_WAIT_POLICY": "passive"}
    result = subprocess.run(
        ["./app"], cwd=folder, env=environment, capture_output=True, text=True, timeout=60
    )
    return result.returncode, result.stdout


def _experiment(folder: Path) -> Experiment:
    """Return the child's, where the program has forked."""
    return read(str(max(folder.glob("run*"))))


@pytest.mark.parametrize("compiler", _COMPILERS)
@pytest.mark.parametrize("name", _ENDS)
def test_each_thread_s_time_on_a_processor(name: str, compiler: str, tmp_path: Path) -> None:
    status, text = _ran(_ENDS[name], compiler, tmp_path)
    assert status == 0
    cpu_times = {int(line.split()[0]): float(line.split()[1]) for line in text.splitlines()}
    experiment = _experiment(tmp_path)
    ran = [location.ranT for location in experiment.locations]
    assert len(ran) == len(cpu_times)
    for tid, seconds in cpu_times.items():
        assert ran[tid] == pytest.approx(seconds, abs=0.02)


@pytest.mark.parametrize("compiler", _COMPILERS)
def test_sleeping_work_is_not_running(compiler: str, tmp_path: Path) -> None:
    """Count no waiting: both threads sleep 0.3 s, and the one that computes less waits."""
    _ran(_ENDS["two threads"], compiler, tmp_path)
    run = analyze_run(_experiment(tmp_path))
    parts = run.parts()
    assert sum(parts.values()) == pytest.approx(run.analysis.totalT)
    assert parts["NotRun"] > 0.55
    assert parts["Work"] == pytest.approx(0.12, abs=0.05)
    assert parts["Imbal"] > 0.05


@pytest.mark.parametrize("compiler", _COMPILERS)
def test_computing_work_runs(compiler: str, tmp_path: Path) -> None:
    """Compute as long as the program printed: with one thread, no other of the program takes its
    processor."""
    body = """
  double since = ran();
  #pragma omp parallel num_threads(1)
  computes(0.2);
  printf("0 %.6f\\n", ran() - since);
"""
    _, text = _ran(body, compiler, tmp_path)
    run = analyze_run(_experiment(tmp_path))
    assert run.parts()["Work"] == pytest.approx(float(text.split()[1]), abs=0.02)


@pytest.mark.parametrize("compiler", _COMPILERS)
def test_a_thread_waits_for_a_processor_that_another_program_uses(
    compiler: str, tmp_path: Path
) -> None:
    """Both share one processor, so each waits while the other runs."""
    body = """
  cpu_set_t first;
  CPU_ZERO(&first);
  CPU_SET(0, &first);
  sched_setaffinity(0, sizeof first, &first);
  pid_t other = fork();
  if (!other)
    for (;;)
      ;
  #pragma omp parallel num_threads(1)
  computes(0.3);
  kill(other, SIGKILL);
  waitpid(other, NULL, 0);
"""
    status, _ = _ran(body, compiler, tmp_path)
    assert status == 0
    (location,) = _experiment(tmp_path).locations
    assert location.queuedT is not None
    assert location.queuedT > 0.1


def test_a_program_that_was_killed_does_not_tell(tmp_path: Path) -> None:
    body = """
  #pragma omp parallel num_threads(2)
  sleeps(0.01);
  kill(getpid(), SIGKILL);
"""
    status, _ = _ran(body, "gcc", tmp_path)
    assert status == -signal.SIGKILL
    run = analyze_run(_experiment(tmp_path))
    assert {location.ranT for location in run.experiment.locations} == {None}
    assert "NotRun" not in run.parts()
