"""Programs with one inefficiency of a known size, and what they are without it.

Threads sleep where others compute, so that what else the machine does hardly matters; what it does
is in the program's own clock, by which it says how large the inefficiency was.
"""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pomp_clang.causes.cube import Cube, compute
from pomp_clang.causes.registry import properties
from pomp_clang.causes.run import Run, gather
from pomp_clang.trace.reader import read

_HEAD = r"""
#include <omp.h>
#include <stdio.h>
#include <time.h>
static double naps(double seconds) {
  double since = omp_get_wtime();
  struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  nanosleep(&t, NULL);
  return omp_get_wtime() - since;
}
static double lost[2], began;
static volatile int begun;
int main(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
  #pragma omp parallel num_threads(2) /* warm */
  naps(0.01);
  began = omp_get_wtime();
"""

_TAIL = r"""
  printf("%.9f %.9f %.9f\n", omp_get_wtime() - began, lost[0], lost[1]);
  omp_destroy_lock(&lock);
  return 0;
}
"""


@dataclass(frozen=True)
class Also:
    """What the same inefficiency is of another property: its size times `factor`, at a marked line
    on a thread."""

    prop: tuple[str, ...]
    mark: str
    thread: int
    factor: float = 1.0


@dataclass(frozen=True)
class Program:
    """`prop` is the last names of the property; it is to be found at the line marked `here`.
    `without` is the program's body with the inefficiency mended.  `comes_with` are names of causes
    that it makes besides."""

    prop: tuple[str, ...]
    body: str
    without: str = ""
    is_exact: bool = True
    """whether the program says how large it is"""
    also: tuple[Also, ...] = ()
    comes_with: tuple[str, ...] = ()


PROGRAMS = {
    "late thread": Program(
        ("Explicit", "Wait at Barrier"),
        """
  #pragma omp parallel num_threads(2) /* region */
  {
    if (omp_get_thread_num() == 1) lost[0] = naps(0.4);
    #pragma omp barrier /* here */
  }
""",
        """
  #pragma omp parallel num_threads(2)
  {
    naps(0.2);
    #pragma omp barrier
  }
""",
        also=(
            Also(("Short-term",), "region", 1),
            Also(("Direct",), "here", 0),
            Also(("Terminal",), "here", 0),
            Also(("Overload",), "region", 1, 0.5),
            Also(("Computational imbalance", "Underload"), "region", 0, 0.5),
        ),
    ),
    "uneven loop": Program(
        ("Implicit", "Wait at Barrier"),
        """
  #pragma omp parallel num_threads(2)
  {
    #pragma omp for schedule(static) /* here */
    for (int i = 0; i < 8; i++) {
      double took = naps(i < 4 ? 0.1 : 0.02);
      #pragma omp atomic
      lost[1] += i < 4 ? took : -took;
    }
  }
""",
        """
  #pragma omp parallel num_threads(2)
  {
    #pragma omp for schedule(static, 1)
    for (int i = 0; i < 8; i++) naps(i < 4 ? 0.1 : 0.02);
  }
""",
    ),
    "contended critical": Program(
        ("Critical", "Contention"),
        """
  #pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num()) naps(0.02);
    double asked = omp_get_wtime();
    #pragma omp critical (one) /* here */
    {
      lost[omp_get_thread_num()] = omp_get_wtime() - asked;
      naps(0.4);
    }
    if (!omp_get_thread_num()) naps(0.4);
  }
""",
        also=(Also(("Contention delay",), "here", 0), Also(("Direct",), "here", 1)),
    ),
    "contended lock": Program(
        ("Lock API", "Contention"),
        """
  #pragma omp parallel num_threads(2)
  {
    if (!omp_get_thread_num()) naps(0.02);
    double asked = omp_get_wtime();
    omp_set_lock(&lock); /* here */
    lost[omp_get_thread_num()] = omp_get_wtime() - asked;
    naps(0.4);
    omp_unset_lock(&lock);
    if (omp_get_thread_num()) naps(0.4);
  }
""",
    ),
    "sum in a critical": Program(
        ("Critical", "Contention"),
        """
  #pragma omp parallel num_threads(2)
  for (int i = 0; i < 3; i++) {
    naps(0.02);
    #pragma omp critical (sum) /* here */
    naps(0.2);
  }
""",
        """
  #pragma omp parallel num_threads(2)
  {
    for (int i = 0; i < 3; i++) {
      naps(0.02);
      naps(0.2);
    }
    #pragma omp critical (sum)
    lost[0]++;
  }
""",
        is_exact=False,
    ),
    "queue with a lock": Program(
        ("Lock API", "Contention"),
        """
  #pragma omp parallel num_threads(2)
  for (int i = 0; i < 3; i++) {
    omp_set_lock(&lock); /* here */
    naps(0.2);
    omp_unset_lock(&lock);
    naps(0.05);
  }
""",
        """
  #pragma omp parallel num_threads(2)
  for (int i = 0; i < 3; i++) naps(0.25);
""",
        is_exact=False,
    ),
    "too few sections": Program(
        ("Implicit", "Wait at Barrier"),
        """
  #pragma omp parallel num_threads(2)
  {
    #pragma omp sections /* here */
    {
      #pragma omp section
      lost[1 - omp_get_thread_num()] = naps(0.4);
    }
  }
""",
        """
  #pragma omp parallel num_threads(2)
  {
    #pragma omp sections
    {
      #pragma omp section
      naps(0.2);
      #pragma omp section
      naps(0.2);
    }
  }
""",
    ),
    "serial time": Program(
        ("Idle Threads",),
        """
  #pragma pomp inst begin(alone) /* here */
  lost[1] = naps(0.6);
  #pragma pomp inst end(alone)
""",
        """
  #pragma omp parallel num_threads(2)
  naps(0.3);
""",
        also=(
            Also(("Thread idleness delay",), "here", 0),
            Also(("Critical path",), "here", 0),
            Also(("Critical-path imbalance",), "here", 0, 0.5),
            Also(("Performance impact",), "here", 0, 2),
            Also(("Critical imbalance impact",), "here", 0),
        ),
    ),
    "overloaded single": Program(
        ("Implicit", "Wait at Barrier"),
        """
  #pragma omp parallel num_threads(2)
  {
    #pragma omp single /* here */
    lost[1 - omp_get_thread_num()] = naps(0.4);
  }
""",
        """
  #pragma omp parallel num_threads(2)
  {
    naps(0.2);
    #pragma omp barrier
  }
""",
    ),
    "one large task": Program(
        ("Implicit", "Wait for Tasks"),
        """
  #pragma omp parallel num_threads(2)
  {
    #pragma omp single nowait
    {
      #pragma omp task
      lost[1 - omp_get_thread_num()] = naps(0.4);
    }
    #pragma omp for /* here */
    for (int i = 0; i < 2; i++) naps(0.01);
  }
""",
    ),
    "task before a barrier": Program(
        ("Explicit", "Wait for Tasks"),
        """
  #pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num()) naps(0.005);
    else {
      #pragma omp task
      lost[1 - omp_get_thread_num()] = naps(0.4);
    }
    #pragma omp barrier /* here */
  }
""",
    ),
    "task that is waited for": Program(
        ("Taskwait",),
        """
  #pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num()) naps(0.02);
    else {
      #pragma omp task
      {
        begun = 1;
        naps(0.4);
      }
      for (int i = 0; !begun && i < 500; i++) naps(0.001);
      double since = omp_get_wtime();
      #pragma omp taskwait /* here */
      lost[omp_get_thread_num()] = omp_get_wtime() - since;
    }
  }
""",
    ),
    "iteration that is late": Program(
        ("Ordered",),
        """
  #pragma omp parallel num_threads(2)
  {
    #pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < 2; i++) {
      if (!i) naps(0.4);
      double since = omp_get_wtime();
      #pragma omp ordered /* here */
      lost[omp_get_thread_num()] = omp_get_wtime() - since;
    }
  }
""",
    ),
    "one alone": Program(
        ("Single participant",),
        """
  #pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num()) {
      #pragma pomp inst begin(alone) /* here */
      lost[1] = naps(0.5) / 2;
      #pragma pomp inst end(alone)
    } else
      naps(0.5);
  }
""",
        also=(
            Also(("Singularity",), "here", 0),
            Also(("Underload", "Non-participation"), "here", 0),
        ),
    ),
    "wait that is passed on": Program(
        ("Indirect",),
        """
  #pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num()) naps(0.02);
    double since = omp_get_wtime();
    #pragma omp critical (one) /* held */
    {
      lost[1 - omp_get_thread_num()] = omp_get_wtime() - since;
      naps(0.4);
    }
    #pragma omp barrier /* here */
  }
""",
        also=(
            Also(("Long-term",), "held", 0),
            Also(("Propagating",), "held", 1),
            Also(("Contention delay",), "held", 0),
        ),
        comes_with=("Contention", "Wait at Barrier"),
    ),
    "small team": Program(
        ("Limited Parallelism",),
        """
  #pragma omp parallel num_threads(1) /* here */
  lost[1] = naps(0.4);
""",
        """
  #pragma omp parallel num_threads(2)
  naps(0.2);
""",
    ),
}


@dataclass(frozen=True)
class Measured:
    """`seconds` is from the warm team to the end, `lost` the inefficiency on each thread, both by
    the program's own clock; `text` is its source."""

    run: Run
    cube: Cube
    seconds: float
    lost: tuple[float, float]
    text: str

    def line(self, mark: str) -> int:
        return next(
            (n for n, line in enumerate(self.text.split("\n"), 1) if f"/* {mark} */" in line), 0
        )


@cache
def _at_once() -> tuple[str, ...]:
    """What wakes threads when they have slept, whatever else the machine does; where it may.  In
    turns: else a thread that looks for what another is to do would never let it run."""
    command = ("chrt", "--rr", "50")
    if (
        not shutil.which("chrt")
        or subprocess.run([*command, "true"], capture_output=True).returncode
    ):
        return ()
    return command


def source_of(body: str) -> str:
    return _HEAD + body + _TAIL


def measure(compiler: str, body: str, folder: Path) -> Measured:
    folder.mkdir(parents=True, exist_ok=True)
    text = source_of(body)
    (folder / "app.c").write_text(text)
    command = ["pomp-clang", "--", compiler, "-fopenmp", "-O1", "app.c", "-o", "app"]
    subprocess.run(command, cwd=folder, check=True)
    environment = {"POMP_EXPERIMENT_DIR": "run", "POMP_TRACE": "1", "OMP_WAIT_POLICY": "passive"}
    ran = subprocess.run(
        [*_at_once(), "env", *(f"{key}={value}" for key, value in environment.items()), "./app"],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    seconds, *lost = map(float, ran.stdout.split())
    run = gather(read(str(folder / "run")))
    cube = compute(run, properties())
    return Measured(run, cube, seconds, (lost[0], lost[1]), text)
