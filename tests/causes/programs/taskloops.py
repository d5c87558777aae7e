"""Taskloops of which each thread of two runs a piece, wherever it waits meanwhile."""

from __future__ import annotations

from tests.causes.programs.program import Program, alone_at, imbalance_at, wait_at

_ONE_EACH = """
        #pragma omp atomic
        begun++;
        for (int k = 0; begun < 2 && k < 5000; k++) naps(0.001);
"""

PROGRAMS = {
    "taskloop that runs at a barrier": Program(
        ("Explicit", "Wait at Barrier"),
        f"""
  #pragma omp parallel num_threads(2)
  {{
    #pragma omp master
    {{
      #pragma omp taskloop num_tasks(2) /* loop */
      for (int i = 0; i < 2; i++) {{
        {_ONE_EACH}
        naps(0.2);
        if (!omp_get_thread_num()) lost[1] = naps(0.4);
      }}
    }}
    #pragma omp barrier /* here */
  }}
""",
        f"""
  #pragma omp parallel num_threads(2)
  {{
    #pragma omp master
    {{
      #pragma omp taskloop num_tasks(2)
      for (int i = 0; i < 2; i++) {{
        {_ONE_EACH}
        naps(0.4);
      }}
    }}
    #pragma omp barrier
  }}
""",
        also=wait_at("here", "loop"),
    ),
    "taskloop that is waited for": Program(
        ("Taskwait",),
        f"""
  #pragma omp parallel num_threads(2)
  {{
    #pragma omp master
    {{
      #pragma omp taskloop num_tasks(2) /* here */
      for (int i = 0; i < 2; i++) {{
        {_ONE_EACH}
        naps(0.2);
        if (omp_get_thread_num()) lost[0] = naps(0.4);
      }}
    }}
    #pragma omp barrier
  }}
""",
        also=imbalance_at("here"),
    ),
    "combined taskloop that is waited for": Program(
        ("Taskwait",),
        f"""
  #pragma omp parallel master taskloop num_threads(2) num_tasks(2) /* here */
  for (int i = 0; i < 2; i++) {{
    {_ONE_EACH}
    naps(0.2);
    if (omp_get_thread_num()) lost[0] = naps(0.4);
  }}
""",
        also=imbalance_at("here"),
    ),
    "one large piece of a taskloop": Program(
        ("Implicit", "Wait for Tasks"),
        """
  #pragma omp parallel num_threads(2)
  {
    #pragma omp single nowait
    {
      #pragma omp taskloop nogroup num_tasks(1) /* loop */
      for (int i = 0; i < 1; i++) lost[1 - omp_get_thread_num()] = naps(0.4);
    }
    #pragma omp for /* here */
    for (int i = 0; i < 2; i++) naps(0.01);
  }
""",
        also=alone_at("loop", is_other=True),
    ),
    "taskloops of too few tasks": Program(
        ("Implicit", "Wait at Barrier"),
        """
  #pragma omp parallel num_threads(4)
  #pragma omp single /* here */
  for (int k = 0; k < 4; k++) {
    #pragma omp taskloop num_tasks(2)
    for (int i = 0; i < 16; i++) naps(0.01);
  }
""",
        """
  #pragma omp parallel num_threads(4)
  #pragma omp single
  for (int k = 0; k < 4; k++) {
    #pragma omp taskloop num_tasks(4)
    for (int i = 0; i < 16; i++) naps(0.01);
  }
""",
        is_exact=False,
        compilers=("gcc",),  # libomp gives some threads two of four tasks
    ),
}
