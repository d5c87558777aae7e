"""The cost of OpenMP itself: constructs whose copying, destruction or computation is a nap.

A flush does nothing else: if it is a function of the runtime, the program has its own flush that
naps.
"""

from __future__ import annotations

from tests.causes.programs.program import Program

_SLOW_COPY = """
struct Large {
  Large() {}
  Large(const Large &) { lost[omp_get_thread_num()] += naps(0.4); }
};
"""

_SLOW_END = """
struct Large {
  Large() {}
  Large(const Large &) {}
  ~Large() { if (omp_in_parallel()) lost[omp_get_thread_num()] += naps(0.4); }
};
"""

_SLOW_FLUSH = """
void __kmpc_flush(void *where);
void __kmpc_flush(void *where) { (void)where; lost[omp_get_thread_num()] += naps(0.4); }
"""

_SLOW_VALUE = """
static double sum;
static double value(void) { return lost[omp_get_thread_num()] += naps(0.4); }
"""

_SLOW_BARRIER = """
#include <dlfcn.h>
static volatile int slow[2];
static void takes_long(void) {
  int me = omp_get_thread_num();
  if (slow[me]) {
    slow[me] = 0;
    lost[me] += naps(0.4);
  }
}
#ifdef __clang__
void __kmpc_barrier(void *where, int thread);
void __kmpc_barrier(void *where, int thread) {
  ((void (*)(void *, int))dlsym((void *)-1L, "__kmpc_barrier"))(where, thread);
  takes_long();
}
#else
void GOMP_barrier(void);
void GOMP_barrier(void) {
  ((void (*)(void))dlsym((void *)-1L, "GOMP_barrier"))();
  takes_long();
}
#endif
"""
"""A barrier's threads take a nap in it when all have come."""

PROGRAMS = {
    "slow barrier": Program(
        ("Explicit", "Barrier Completion"),
        """
  #pragma omp parallel num_threads(2)
  {
    slow[omp_get_thread_num()] = 1;
    #pragma omp barrier /* here */
  }
""",
        """
  #pragma omp parallel num_threads(2)
  lost[omp_get_thread_num()] = 0;
""",
        top=_SLOW_BARRIER,
    ),
    "slow barrier of a loop": Program(
        ("Implicit", "Barrier Completion"),
        """
  #pragma omp parallel num_threads(2)
  {
    #pragma omp for /* here */
    for (int i = 0; i < 2; i++) slow[omp_get_thread_num()] = 1;
  }
""",
        """
  #pragma omp parallel num_threads(2)
  {
    #pragma omp for nowait
    for (int i = 0; i < 2; i++) lost[i] = 0;
  }
""",
        top=_SLOW_BARRIER,
    ),
    "copies for each thread": Program(
        ("Fork",),
        """
  Large large;
  #pragma omp parallel num_threads(2) firstprivate(large) /* here */
  (void)&large;
""",
        """
  Large large;
  #pragma omp parallel num_threads(2) shared(large)
  (void)&large;
""",
        top=_SLOW_COPY,
        is_cxx=True,
    ),
    "copies that are destroyed": Program(
        ("Join",),
        """
  Large large;
  #pragma omp parallel num_threads(2) firstprivate(large) /* here */
  (void)&large;
""",
        """
  Large large;
  #pragma omp parallel num_threads(2) shared(large)
  (void)&large;
""",
        top=_SLOW_END,
        is_cxx=True,
    ),
    "copies for each task": Program(
        ("Task Creation",),
        """
  Large large;
  #pragma omp parallel num_threads(2) shared(large)
  {
    #pragma omp task firstprivate(large) /* here */
    (void)&large;
  }
""",
        """
  Large large;
  #pragma omp parallel num_threads(2) shared(large)
  {
    #pragma omp task shared(large)
    (void)&large;
  }
""",
        top=_SLOW_COPY,
        is_cxx=True,
    ),
    "large flush": Program(
        ("Flush",),
        """
  #pragma omp parallel num_threads(2)
  {
    #pragma omp flush /* here */
  }
""",
        """
  #pragma omp parallel num_threads(2)
  lost[0] = 0;
""",
        top=_SLOW_FLUSH,
        compilers=("clang-19",),
    ),
    "atomic with a large value": Program(
        ("Atomic",),
        """
  #pragma omp parallel num_threads(2)
  {
    #pragma omp atomic /* here */
    sum += value();
  }
""",
        """
  #pragma omp parallel num_threads(2)
  lost[0] = 0;
""",
        top=_SLOW_VALUE,
    ),
}
