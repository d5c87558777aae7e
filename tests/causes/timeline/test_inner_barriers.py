"""Constructs with more than one barrier, in programs for which the OpenMP runtime reports them.

At each barrier a thread waits for late threads, and never for tasks.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.causes.cube.cube import Cube, compute
from pomp_clang.causes.properties.registry import properties
from tests.causes.programs.measured import build, traced
from tests.causes.scripts import cells
from tests.compilers import links_openmp

_HEAD = r"""
#include <omp.h>
#include <cstdio>
#include <ctime>
static double lost[2];
static void naps(double seconds, int thread) {
  double since = omp_get_wtime();
  struct timespec t = {0, (long)(seconds * 1e9)};
  nanosleep(&t, NULL);
  lost[1 - thread] += omp_get_wtime() - since;
}
struct Assigned {
  Assigned &operator=(const Assigned &) { naps(0.2, omp_get_thread_num()); return *this; }
};
struct Copied {
  Copied() = default;
  Copied(const Copied &) { if (omp_get_thread_num() == 1) naps(0.2, 1); }
  Copied &operator=(const Copied &) { return *this; }
};
static Copied shared;
int main() {
  #pragma omp parallel num_threads(2)
  ;
"""

_TAIL = r"""
  std::printf("%.9f %.9f\n", lost[0], lost[1]);
}
"""

LATE_AT_EACH = {
    "what is handed to all": """
  #pragma omp parallel num_threads(2)
  {
    Assigned mine;
    #pragma omp single copyprivate(mine) /* here */
    naps(0.3, omp_get_thread_num());
  }
""",
    "a loop with a variable that grows": """
  long grows = 0;
  #pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num()) naps(0.2, 1);
    #pragma omp for schedule(static, 1) linear(grows : 1) /* here */
    for (int i = 0; i < 2; i++) {
      if (!i) naps(0.3, 0);
      grows++;
    }
  }
""",
    "a region and its loop": """
  #pragma omp parallel for num_threads(2) firstprivate(shared) lastprivate(shared) /* here */
  for (int i = 0; i < 2; i++)
    if (!i) naps(0.3, 0); else (void)&shared;
""",
}
"""A thread is late at the first barrier, and the other one at the second."""

BARRIERS = {
    "for": 1,
    "for nowait": 0,
    "for linear(y) nowait": 1,
    "for firstprivate(x) lastprivate(x)": 2,
    "for lastprivate(conditional : x)": 2,
    "for linear(y)": 2,
    "for reduction(+ : x)": 2,
    "for linear(y) reduction(+ : x)": 3,
    "for simd linear(y)": 2,
    "sections": 1,
    "sections firstprivate(x) lastprivate(x)": 2,
    "sections reduction(+ : x)": 2,
    "single": 1,
    "single nowait": 0,
    "single copyprivate(z)": 2,
}
"""Number of barriers that each member of a team meets with libomp 19."""


def analysed(folder: Path, text: str) -> tuple[str, Cube]:
    if not links_openmp("clang-19"):
        pytest.skip("clang-19 is not here, or has no OpenMP runtime")
    build("clang-19", text, folder, True, "--pomp-strict", "--pomp-barriers=ompt")
    output, run = traced(folder)
    return output, compute(run, properties())


def line(text: str, mark: str) -> int:
    return next(n for n, line in enumerate(text.split("\n"), 1) if mark in line)


@pytest.mark.parametrize("what", LATE_AT_EACH)
def test_who_waits_waits_for_who_is_late_at_that_barrier(what: str, tmp_path: Path) -> None:
    text = _HEAD + LATE_AT_EACH[what] + _TAIL
    output, cube = analysed(tmp_path, text)
    here, lost = line(text, "/* here */"), [float(number) for number in output.split()]
    assert min(lost) > 0.19
    waited = cells(cube, "Implicit", "Wait at Barrier")
    assert [waited[here, thread] for thread in (0, 1)] == pytest.approx(lost, rel=0.05)
    tasks = cells(cube, "Implicit", "Wait for Tasks")
    assert max(tasks.get((here, thread), 0.0) for thread in (0, 1)) < 0.01


def test_all_barriers_of_a_construct_are_met(tmp_path: Path) -> None:
    bodies = {
        "for": "for (int i = 0; i < 4; i++) x++, y++;",
        "sections": "{ x++;\n#pragma omp section\n  x++; }",
        "single": "z++;",
    }
    constructs = [
        f"#pragma omp {barrier} /* {barrier}. */\n{bodies[barrier.split()[0]]}\n"
        for barrier in BARRIERS
    ]
    text = (
        "int x, y;\nint main() {\n#pragma omp parallel num_threads(2)\n{\nint z = 0;\n"
        + "".join(constructs)
        + "x += z;\n}\n}\n"
    )
    cube = analysed(tmp_path, text)[1]
    counts = cells(cube, "Synchronizations")
    actual = {
        barrier: [counts.get((line(text, f"/* {barrier}. */"), thread), 0) for thread in (0, 1)]
        for barrier in BARRIERS
    }
    assert actual == {line_: [count, count] for line_, count in BARRIERS.items()}
