/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Recording of device operations, with POMP_TRACE=1.
 *
 * A thread stores intervals into a record of its own, one after the other.  Threads without a
 * location do so, too. */
#ifndef POMP_TARGET_TRACE_H
#define POMP_TARGET_TRACE_H

#include "ompt/target_thread.h"
#include "state.h"

/* Stores the interval; its location is the calling thread's. */
void pomp_target_record(struct pomp_target_thread *own,
                        const struct pomp_device_interval *interval);

static inline void pomp_target_trace(struct pomp_target_thread *own,
                                     const struct pomp_device_interval *interval) {
  if (__builtin_expect(pomp_traces, 0))
    pomp_target_record(own, interval);
}

#endif
