"""The program whose experiments are opened."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests import compilers
from tests.create_once import create_once, folder_of_run
from tests.mpi.harness import environment

PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <signal.h>
#include <omp.h>
static double sum;
static void work(int n) { double x = 0; for (int i = 0; i < n * 2000; i++) x += i * 0.5;
#pragma omp critical (total)
  sum += x; }
int main(int argc, char **argv) {
#pragma omp parallel
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 40; i++) work(i);
#pragma omp sections
    {
#pragma omp section
      work(3);
#pragma omp section
      work(5);
    }
#pragma omp single
    for (int i = 0; i < 8; i++) {
#pragma omp task
      work(i);
    }
#pragma omp master
    work(1);
#pragma omp barrier
    if (argc > 1 && omp_get_thread_num() == 0) { fflush(NULL); kill(getpid(), SIGKILL); }
  }
#pragma pomp inst snapshot
#pragma omp parallel for
  for (int i = 0; i < 10; i++) work(i);
  printf("%g\n", sum);
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = compilers.first("gcc", "clang-19")
    if not compiler:
        pytest.skip("no compiler with an OpenMP runtime is here")
    folder = folder_of_run(tmp_path_factory, "api")

    def make() -> None:
        (folder / "app.c").write_text(PROGRAM)
        command = ["pomp-clang", "--", compiler, "-fopenmp", "-O1", "app.c", "-o", "app"]
        subprocess.run(command, cwd=folder, check=True, env=environment())

    return create_once(folder / "app", make)
