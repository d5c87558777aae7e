"""Barriers, tasks and turns that are waited for."""

from __future__ import annotations

from tests.causes.programs.program import Program, alone_at, imbalance_at, kernel_at, wait_at

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
        also=wait_at("here", "region"),
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
        also=wait_at("here", "here"),
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
        also=wait_at("here", "here"),
    ),
    "value of a single": Program(
        ("Implicit", "Wait at Barrier"),
        """
  #pragma omp parallel num_threads(2)
  {
    double took;
    #pragma omp single copyprivate(took) /* here */
    {
      took = naps(0.4);
      lost[1 - omp_get_thread_num()] = took;
    }
  }
""",
        """
  #pragma omp parallel num_threads(2)
  {
    naps(0.2);
    #pragma omp barrier
  }
""",
        also=wait_at("here", "here"),
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
        also=wait_at("here", "here"),
    ),
    "kernel in a single": Program(
        ("Implicit", "Wait for Kernels"),
        """
  #pragma omp parallel num_threads(2)
  {
    #pragma omp single /* here */
    {
      double napped;
      #pragma omp target map(from: napped) /* kernel */
      napped = naps(0.4);
      lost[1 - omp_get_thread_num()] = napped;
    }
  }
""",
        also=kernel_at("here", "kernel"),
    ),
    "kernel before a barrier": Program(
        ("Explicit", "Wait for Kernels"),
        """
  #pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      double napped;
      #pragma omp target map(from: napped) /* kernel */
      napped = naps(0.4);
      lost[1] = napped;
    }
    #pragma omp barrier /* here */
  }
""",
        also=kernel_at("here", "kernel"),
    ),
    "one large task": Program(
        ("Implicit", "Wait for Tasks"),
        """
  #pragma omp parallel num_threads(2)
  {
    #pragma omp single nowait
    {
      #pragma omp task /* task */
      lost[1 - omp_get_thread_num()] = naps(0.4);
    }
    #pragma omp for /* here */
    for (int i = 0; i < 2; i++) naps(0.01);
  }
""",
        also=alone_at("task", is_other=True),
    ),
    "task before a barrier": Program(
        ("Explicit", "Wait for Tasks"),
        """
  #pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num()) naps(0.005);
    else {
      #pragma omp task /* task */
      lost[1 - omp_get_thread_num()] = naps(0.4);
    }
    #pragma omp barrier /* here */
  }
""",
        also=alone_at("task", is_other=True),
    ),
    "task that is waited for": Program(
        ("Taskwait",),
        """
  #pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num()) naps(0.02);
    else {
      #pragma omp task /* task */
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
        also=alone_at("task", is_other=True),
    ),
    "iteration that is late": Program(
        ("Ordered",),
        """
  #pragma omp parallel num_threads(2)
  {
    #pragma omp for ordered schedule(static, 1) /* loop */
    for (int i = 0; i < 2; i++) {
      if (!i) naps(0.4);
      double since = omp_get_wtime();
      #pragma omp ordered /* here */
      lost[omp_get_thread_num()] = omp_get_wtime() - since;
    }
  }
""",
        also=imbalance_at("loop"),
    ),
    "late in turn at a barrier that is not needed": Program(
        ("Explicit", "Wait at Barrier"),
        """
  #pragma omp parallel num_threads(4)
  for (int k = 0; k < 4; k++) {
    if (omp_get_thread_num() == k) naps(0.15);
    if (k < 3) {
      #pragma omp barrier /* here */
    }
  }
""",
        """
  #pragma omp parallel num_threads(4)
  for (int k = 0; k < 4; k++)
    if (omp_get_thread_num() == k) naps(0.15);
""",
        is_exact=False,
    ),
    "late in turn with a critical before the barrier": Program(
        ("Explicit", "Wait at Barrier"),
        """
  #pragma omp parallel num_threads(4)
  for (int k = 0; k < 4; k++) {
    if (omp_get_thread_num() == k) naps(0.15);
    #pragma omp critical
    naps(0.002);
    #pragma omp barrier /* here */
  }
""",
        """
  #pragma omp parallel num_threads(4)
  for (int k = 0; k < 4; k++) {
    naps(0.15 / 4);
    #pragma omp critical
    naps(0.002);
    #pragma omp barrier
  }
""",
        is_exact=False,
    ),
}
