"""Threads that have nothing to do, or do it alone."""

from __future__ import annotations

from tests.causes.programs.program import Also, Program, alone_at, critical_at

PROGRAMS = {
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
            Also(("Thread idleness delay",), "here", True),
            Also(("Critical path",), "here", True),
            Also(("Performance impact",), "here", True, 2),
            Also(("Execution",), "here", True),
            Also(("Time",), "here", True),
            Also(("Time",)),
            *critical_at("here", is_other=True, factor=0.5),
        ),
    ),
    "target construct": Program(
        ("Idle During Target",),
        """
  #pragma omp target /* here */
  lost[1] = naps(0.4);
""",
        also=(
            Also(("Target",), "here", True),
            Also(("Thread idleness delay",), "here", True),
            Also(("Critical path",), "here", True),
            Also(("Performance impact",), "here", True, 2),
            Also(("Execution",), "here", True),
            Also(("Time",), "here", True),
            Also(("Time",)),
            *critical_at("here", is_other=True, factor=0.5),
        ),
    ),
    "one alone": Program(
        ("Single participant",),
        """
  #pragma omp parallel num_threads(2) /* region */
  {
    if (omp_get_thread_num()) {
      #pragma pomp inst begin(alone) /* here */
      lost[1] = naps(0.5) / 2;
      #pragma pomp inst end(alone)
      done = 1;
    } else
      for (naps(0.5); !done;) naps(0.001);
  }
""",
        also=(
            Also(("Singularity",), "here", True),
            Also(("Overload",), "region", True),
            Also(("Underload",), "region"),
            *critical_at("region", is_other=True, factor=1),
        ),
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
        also=(Also(("Thread idleness delay",), "here", True), *alone_at("here", is_other=True)),
    ),
}
