"""Losses of tasks that threads run in the barrier after a single: only that barrier waits for
them.

A thread that polls until another one has begun its task stops after a while. libomp does not wake a
thread that has looked for tasks and is about to sleep in the barrier.
"""

from __future__ import annotations

from tests.causes.programs.program import Program

_SLOW_VALUE = """
static double sum;
static double value(void) { return lost[omp_get_thread_num()] += naps(0.3); }
"""

PROGRAMS = {
    "critical in tasks": Program(
        ("Critical", "Contention"),
        """
  #pragma omp parallel num_threads(2)
  #pragma omp single
  for (int i = 0; i < 2; i++) {
    #pragma omp task
    {
      naps(0.1);
      #pragma omp critical (sum) /* here */
      naps(0.3);
    }
  }
""",
        """
  #pragma omp parallel num_threads(2)
  #pragma omp single
  for (int i = 0; i < 2; i++) {
    #pragma omp task
    {
      naps(0.1);
      naps(0.3);
    }
  }
""",
        is_exact=False,
    ),
    "atomic in tasks": Program(
        ("Atomic",),
        """
  #pragma omp parallel num_threads(2)
  #pragma omp single
  for (int i = 0; i < 2; i++) {
    #pragma omp task
    {
      naps(0.1);
      #pragma omp atomic /* here */
      sum += value();
    }
  }
""",
        """
  #pragma omp parallel num_threads(2)
  #pragma omp single
  for (int i = 0; i < 2; i++) {
    #pragma omp task
    naps(0.1);
  }
""",
        is_exact=False,
        top=_SLOW_VALUE,
    ),
    "taskwait for another's task": Program(
        ("Taskwait",),
        """
  #pragma omp parallel num_threads(2)
  #pragma omp single
  {
    #pragma omp task
    {
      begun = 1;
      naps(0.4);
    }
    for (int turn = 0; !begun && turn < 2000; turn++) naps(0.001);
    #pragma omp taskwait /* here */
    naps(0.3);
  }
""",
        """
  #pragma omp parallel num_threads(2)
  #pragma omp single
  {
    #pragma omp task
    {
      begun = 1;
      naps(0.4);
    }
    for (int turn = 0; !begun && turn < 2000; turn++) naps(0.001);
    naps(0.3);
  }
""",
        is_exact=False,
    ),
    "large task with a lock": Program(
        ("Implicit", "Wait for Tasks"),
        """
  #pragma omp parallel num_threads(2)
  #pragma omp single /* here */
  {
    #pragma omp task
    {
      omp_set_lock(&lock);
      naps(0.6);
      omp_unset_lock(&lock);
    }
  }
""",
        """
  #pragma omp parallel num_threads(2)
  #pragma omp single
  for (int i = 0; i < 2; i++) {
    #pragma omp task
    naps(0.3);
  }
""",
        is_exact=False,
    ),
    "few large tasks, twice": Program(
        ("Implicit", "Wait at Barrier"),
        """
  #pragma omp parallel num_threads(4)
  #pragma omp single /* here */
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 2; i++) {
      #pragma omp task untied
      naps(0.28);
    }
    #pragma omp taskwait
  }
""",
        """
  #pragma omp parallel num_threads(4)
  #pragma omp single
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 16; i++) {
      #pragma omp task untied
      naps(0.035);
    }
    #pragma omp taskwait
  }
""",
        is_exact=False,
        compilers=("gcc",),  # libomp runs several of them on one thread, one after the other
    ),
}
