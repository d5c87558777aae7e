"""Programs that do so little between two barriers that the barriers themselves cost most."""

from __future__ import annotations

from tests.causes.programs.program import Program

_WORK = """
static volatile unsigned word[2][64];
static void work(void) {
  volatile unsigned *mine = word[omp_get_thread_num()];
  unsigned x = *mine;
  for (int i = 0; i < 500; i++) {
    x = x * 1664525 + 1013904223;
    __asm__ volatile("" : "+r"(x));
  }
  *mine = x;
}
"""

_WITHOUT = """
  #pragma omp parallel num_threads(2)
  for (int turn = 0; turn < 20000; turn++) work();
"""

PROGRAMS = {
    "storm of barriers": Program(
        ("Explicit", "Barrier Completion"),
        """
  #pragma omp parallel num_threads(2)
  for (int turn = 0; turn < 20000; turn++) {
    work();
    #pragma omp barrier /* here */
  }
""",
        _WITHOUT,
        is_exact=False,
        top=_WORK,
    ),
    "storm of loops": Program(
        ("Implicit", "Barrier Completion"),
        """
  #pragma omp parallel num_threads(2)
  for (int turn = 0; turn < 20000; turn++) {
    #pragma omp for schedule(static) /* here */
    for (int i = 0; i < 2; i++) work();
  }
""",
        _WITHOUT,
        is_exact=False,
        top=_WORK,
    ),
    "storm of singles": Program(
        ("Implicit", "Barrier Completion"),
        """
  #pragma omp parallel num_threads(2)
  for (int turn = 0; turn < 20000; turn++) {
    work();
    #pragma omp single /* here */
    lost[0] = 0;
  }
""",
        _WITHOUT,
        is_exact=False,
        top=_WORK,
    ),
}
