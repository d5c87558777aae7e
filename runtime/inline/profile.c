/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is inlined in a program that is compiled for the measuring library. */
#include "calls.h"
#include "short.h"

#define HOT(name, way)                                                                             \
  __attribute__((always_inline)) void POMP_##name(OMPRegDescr *d) {                                \
    if (__builtin_expect(!pomp_short_##name(d), 0))                                                \
      pomp_call(POMP_CALL_##name, d);                                                              \
  }
#define SHORT(name, way)
#include "hot.def"
