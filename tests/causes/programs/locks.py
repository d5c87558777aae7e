"""Locks and critical sections that two want at once."""

from __future__ import annotations

from tests.causes.programs.program import Also, Program, critical_at, imbalance_at, lock_at

PROGRAMS = {
    "contended critical": Program(
        ("Critical", "Contention"),
        """
  #pragma omp parallel num_threads(2) /* region */
  {
    while (omp_get_thread_num() && !begun) naps(0.001);
    double asked = omp_get_wtime();
    #pragma omp critical (one) /* here */
    {
      lost[omp_get_thread_num()] = omp_get_wtime() - asked;
      begun = 1;
      naps(0.4);
    }
    if (omp_get_thread_num()) done = 1;
    else
      for (naps(0.4); !done;) naps(0.001);
  }
""",
        also=(*lock_at("here"), *imbalance_at("region")),
    ),
    "contended lock": Program(
        ("Lock API", "Contention"),
        """
  #pragma omp parallel num_threads(2) /* region */
  {
    while (!omp_get_thread_num() && !begun) naps(0.001);
    double asked = omp_get_wtime();
    omp_set_lock(&lock); /* here */
    lost[omp_get_thread_num()] = omp_get_wtime() - asked;
    begun = 1;
    naps(0.4); /* A lock's time is the region's. */
    omp_unset_lock(&lock);
    if (!omp_get_thread_num()) done = 1;
    else
      for (naps(0.4); !done;) naps(0.001);
  }
""",
        also=(*lock_at("here"), *imbalance_at("region")),
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
    "wait that is passed on": Program(
        ("Indirect",),
        """
  #pragma omp parallel num_threads(2)
  {
    while (omp_get_thread_num() && !begun) naps(0.001);
    double since = omp_get_wtime();
    #pragma omp critical (one) /* held */
    {
      lost[1 - omp_get_thread_num()] = omp_get_wtime() - since;
      begun = 1;
      naps(0.4);
    }
    #pragma omp barrier /* here */
  }
""",
        also=(
            Also(("Explicit", "Wait at Barrier")),
            Also(("Terminal",)),
            Also(("Long-term",), "held"),
            Also(("Contention delay",), "held"),
            Also(("Critical", "Contention"), "held", is_other=True),
            Also(("Direct",), "held", is_other=True),
            Also(("Propagating",), "held", is_other=True),
            *critical_at("held", is_other=False, factor=0.5),
            *critical_at("held", is_other=True, factor=0.5),
        ),
    ),
    "lock that is tried again and again": Program(
        ("Lock API", "Contention"),
        """
  #pragma omp parallel num_threads(2) /* region */
  {
    while (!omp_get_thread_num() && !begun) naps(0.001);
    double asked = omp_get_wtime();
    while (!omp_test_lock(&lock)) naps(0.002); /* here */
    lost[omp_get_thread_num()] = omp_get_wtime() - asked;
    begun = 1;
    naps(0.4);
    omp_unset_lock(&lock);
    if (!omp_get_thread_num()) done = 1;
    else
      for (naps(0.4); !done;) naps(0.001);
  }
""",
        also=(*lock_at("here"), *imbalance_at("region")),
    ),
    "queue with a nested lock that is tried": Program(
        ("Lock API", "Contention"),
        """
  omp_nest_lock_t nested;
  omp_init_nest_lock(&nested);
  #pragma omp parallel num_threads(2)
  for (int i = 0; i < 3; i++) {
    while (!omp_test_nest_lock(&nested)) naps(0.0005); /* here */
    naps(0.2);
    omp_unset_nest_lock(&nested);
    naps(0.05);
  }
""",
        """
  #pragma omp parallel num_threads(2)
  for (int i = 0; i < 3; i++) naps(0.25);
""",
        is_exact=False,
    ),
    "lock that is tried in vain": Program(
        ("Failed Attempts",),
        """
  #pragma omp parallel num_threads(2) /* region */
  {
    if (omp_get_thread_num()) {
      while (!begun) naps(0.001);
      double since = omp_get_wtime();
      for (int i = 0; i < 150; i++) {
        if (omp_test_lock(&lock)) break; /* here */
        naps(0.002);
      }
      lost[1] = omp_get_wtime() - since;
      done = 1;
    } else {
      omp_set_lock(&lock);
      begun = 1;
      while (!done) naps(0.001);
      omp_unset_lock(&lock);
    }
  }
""",
        also=imbalance_at("region"),
    ),
    "attempts before other work": Program(
        ("Failed Attempts",),
        """
  #pragma omp parallel num_threads(2)
  if (omp_get_thread_num()) {
    while (!begun) naps(0.001);
    for (int i = 0; i < 100; i++) {
      if (omp_test_lock(&lock)) break; /* here */
      naps(0.003);
    }
    naps(0.3);
  } else {
    omp_set_lock(&lock);
    begun = 1;
    naps(0.35);
    omp_unset_lock(&lock);
  }
""",
        """
  #pragma omp parallel num_threads(2)
  naps(omp_get_thread_num() ? 0.3 : 0.35);
""",
        is_exact=False,
    ),
}
