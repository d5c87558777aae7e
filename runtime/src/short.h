/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The short way of each event: what nearly all are, few instructions, and able to stand in the
 * program itself.  False: nothing was done, and the event takes the long way, which knows every
 * case.
 *
 * What is compiled into a program agrees with the library on all that this file includes;
 * layout.h gives the symbols that hold them together a name that says so. */
#ifndef POMP_SHORT_H
#define POMP_SHORT_H

#include "calls.h"
#include "skip.h"

/* An event that stands in the program calls the library to be recorded; one in the library goes
 * straight into the trace. */
#ifdef POMP_RECORDING
#include "trace.h"
#define POMP_RECORD pomp_trace_put
#else
#define POMP_RECORD pomp_record
#endif

#define HOT(name, way)                                                                             \
  POMP_SHORT bool pomp_short_##name(OMPRegDescr *d) {                                              \
    struct pomp_thread *t = pomp_self;                                                             \
    enum pomp_mode mode = pomp_mode_of(t);                                                         \
    if (__builtin_expect(!pomp_mode_counts(mode), 0))                                              \
      return mode == POMP_IGNORES || (mode == POMP_SKIPS && pomp_skip_##way);                      \
    struct pomp_booked b = pomp_hot_##way;                                                         \
    if (__builtin_expect(mode == POMP_RECORDS, 0) && b.op)                                         \
      POMP_RECORD(t, b.op, b.path, b.now);                                                         \
    return b.done;                                                                                 \
  }
#define SHORT HOT
#include "hot.def"
#undef SHORT
#undef HOT

#endif
