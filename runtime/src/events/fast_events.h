/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The short way of each event: few instructions, which nearly all events need no more than, and
 * which can stand in the program itself.  False: nothing was done, and the event takes the long
 * way, which handles every case.
 *
 * A program and the library that it runs with must agree on all files that this one includes.  The
 * names of the symbols in layout.h contain a hash of these files. */
#ifndef POMP_FAST_EVENTS_H
#define POMP_FAST_EVENTS_H

#include "events/calls.h"
#include "events/fast_path_muted.h"

/* An event that stands in the program calls the library to be recorded; one in the library goes
 * straight into the trace. */
#ifdef POMP_RECORDING
#include "trace/trace.h"
#define POMP_RECORD pomp_trace_put
#else
#define POMP_RECORD pomp_record
#endif

#define FAST(name, fast, slow)                                                                     \
  POMP_SHORT bool pomp_fast_event_##name(OMPRegDescr *d) {                                         \
    struct pomp_thread *t = pomp_self;                                                             \
    enum pomp_mode mode = pomp_mode_of(t);                                                         \
    if (__builtin_expect(!pomp_mode_counts(mode), 0))                                              \
      return mode == POMP_IGNORES || (mode == POMP_SKIPS && pomp_muted_##fast);                    \
    struct pomp_booked b = pomp_fast_##fast;                                                       \
    if (__builtin_expect(mode == POMP_RECORDS, 0) && b.op)                                         \
      POMP_RECORD(t, b.op, b.path, b.now);                                                         \
    return b.done;                                                                                 \
  }
#define INLINED FAST
#include "events/events.def"

#endif
