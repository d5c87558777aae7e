/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is inlined in a program that is compiled for the measuring library. */
#include "calls.h"
#include "hot.h"

static inline bool is_ignored(void) { return pomp_mode_of(pomp_self) == POMP_IGNORES; }

#define HOT(name, way)                                                                             \
  static __attribute__((noinline, cold)) void aside_##name(OMPRegDescr *d) {                       \
    if (!pomp_skip_##name(d))                                                                      \
      pomp_call(POMP_CALL_##name, d);                                                              \
  }                                                                                                \
  __attribute__((always_inline)) void POMP_##name(OMPRegDescr *d) {                                \
    if (__builtin_expect(!pomp_hot_##name(d) && !is_ignored(), 0))                                 \
      aside_##name(d);                                                                             \
  }
#define SHORT(name, way)
#include "hot.def"
