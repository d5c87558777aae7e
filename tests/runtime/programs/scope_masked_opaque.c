/* Scope, masked, and constructs measured from outside: all newer than the POMP paper. */
#include "pomp_test.h"

#include <omp.h>

PLACE(par, "parallel", 10);
PLACE(area, "scope", 20);
PLACE(mask, "masked", 30);
PLACE(both, "parallel masked", 40);
PLACE(loops, "masked taskloop", 50);

#define OPAQUE(X)                                                                                  \
  X(Simd, 100)                                                                                     \
  X(Loop, 110)                                                                                     \
  X(Teams, 120)                                                                                    \
  X(Distribute, 130)                                                                               \
  X(Target, 140)                                                                                   \
  X(Target_data, 150)                                                                              \
  X(Target_enter_data, 160)                                                                        \
  X(Target_exit_data, 170)                                                                         \
  X(Target_update, 180)                                                                            \
  X(Dispatch, 190)                                                                                 \
  X(Depobj, 200)                                                                                   \
  X(Interop, 210)                                                                                  \
  X(Cancel, 220)                                                                                   \
  X(Cancellation_point, 230)

#define DESCRIBE(name, line) PLACE(at_##name, #name, line);
OPAQUE(DESCRIBE)

static void masked(OMPRegDescr *d) {
#pragma omp masked
  {
    POMP_Masked_begin(d);
    sleep_ms(10);
    POMP_Masked_end(d);
  }
}

static void combined(void) {
  POMP_Parallel_fork(&both);
  void *team = POMP_Get_team();
#pragma omp parallel num_threads(4) firstprivate(team)
  {
    POMP_Set_team(team);
    POMP_Parallel_begin(&both);
    masked(&both);
    BARRIER(both);
    POMP_Parallel_end(&both);
  }
  POMP_Parallel_join(&both);
}

/* The first to leave the scope comes to its barrier before any other leaves. */
static void in_scope(void) {
  static _Atomic int first_is_done;
  int thread = omp_get_thread_num();
  while (thread && !first_is_done)
    sleep_ms(1);
  sleep_ms(10 * (thread + 1));
  if (!thread)
    first_is_done = 1;
}

int main(void) {
  PARALLEL(par, num_threads(4))
  POMP_Scope_enter(&area);
#ifndef __clang__ /* 19 parses it, and cannot compile it */
#pragma omp scope nowait
#endif
  {
    POMP_Scope_begin(&area);
    in_scope();
    POMP_Scope_end(&area);
  }
  BARRIER(area);
  POMP_Scope_exit(&area);
  masked(&mask);
#pragma omp masked
  {
    POMP_Masked_begin(&loops);
    POMP_Taskloop_enter(&loops);
    sleep_ms(5);
    POMP_Taskloop_exit(&loops);
    POMP_Masked_end(&loops);
  }
  END_PARALLEL(par)
  combined();
#define VISIT(name, line)                                                                          \
  POMP_##name##_enter(&at_##name);                                                                 \
  sleep_ms(2);                                                                                     \
  POMP_##name##_exit(&at_##name);
  OPAQUE(VISIT)
  return 0;
}
