/* The rewriter's additions to a unit, for programs that call POMP by hand. */
#ifndef POMP_TEST_H
#define POMP_TEST_H

#include "pomp.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* A descriptor of its own name, on a line that tests can tell it by. */
#define PLACE_OF(id, kind, sub, line, bits, function)                                              \
  static OMPRegDescr id = {                                                                        \
      kind, sub, 0,  __FILE__, line, line, line + 1, line + 1, 0, 0, sizeof(OMPRegDescr),          \
      bits, 1,   "", function};                                                                    \
  static OMPRegDescr *pointer_to_##id __attribute__((section("pomp_descriptors"), used)) = &id
#define PLACE_WITH(id, kind, sub, line, bits) PLACE_OF(id, kind, sub, line, bits, "")
#define PLACE_IN(function, id, kind, line) PLACE_OF(id, kind, 0, line, 0, function)
#define PLACE(id, kind, line) PLACE_WITH(id, kind, 0, line, 0)
#define FUNCTION(id, name, line) PLACE_WITH(id, "region", name, line, POMP_FUNCTION)

extern OMPRegDescr *__start_pomp_descriptors[] __attribute__((visibility("hidden")));
extern OMPRegDescr *__stop_pomp_descriptors[] __attribute__((visibility("hidden")));

__attribute__((constructor(101))) static void register_places(void) {
  POMP_Register(__start_pomp_descriptors, __stop_pomp_descriptors);
}

/* parallel [clauses] block: PARALLEL(d, "num_threads(4)") { ... } END_PARALLEL(d) */
#define PRAGMA(text) _Pragma(#text)
#define PARALLEL(d, clauses)                                                                       \
  {                                                                                                \
    POMP_Parallel_fork(&d);                                                                        \
    void *team_of_##d = POMP_Get_team();                                                           \
    PRAGMA(omp parallel clauses firstprivate(team_of_##d)) {                                       \
      POMP_Set_team(team_of_##d);                                                                  \
      POMP_Parallel_begin(&d);                                                                     \
      {
#define END_PARALLEL(d)                                                                            \
  }                                                                                                \
  BARRIER(d);                                                                                      \
  POMP_Parallel_end(&d);                                                                           \
  }                                                                                                \
  POMP_Parallel_join(&d);                                                                          \
  }
#define BARRIER(d)                                                                                 \
  POMP_Barrier_enter(&d);                                                                          \
  PRAGMA(omp barrier)                                                                              \
  POMP_Barrier_exit(&d)

static inline void sleep_ms(int ms) {
  struct timespec t = {ms / 1000, ms % 1000 * 1000000L};
  nanosleep(&t, 0);
}

#endif
