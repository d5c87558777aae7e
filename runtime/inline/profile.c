/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The events that are inlined in a program that is compiled for the measuring library. */
#include "events/calls.h"
#include "events/fast_events.h"

#define INLINED(name, fast, slow)                                                                  \
  __attribute__((always_inline)) void POMP_##name(OMPRegDescr *d) {                                \
    if (__builtin_expect(!pomp_fast_event_##name(d), 0))                                           \
      pomp_call(POMP_CALL_##name, d);                                                              \
  }
#include "events/events.def"
