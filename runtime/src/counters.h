/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a thread counts besides time: at each event, what was counted since the one before is
 * the call path's that the thread was on. */
#ifndef POMP_COUNTERS_H
#define POMP_COUNTERS_H

#include "thread.h"

/* The calling thread counts for this location from here on; nothing where nothing is counted.
 * Without a record the location is no part of the experiment.  Within pomp_slow_begin and _end. */
void pomp_counters_attach(struct pomp_thread *t, bool recorded);
void pomp_counters_detach(struct pomp_thread *t);

/* Only where the location counts. */
void pomp_counters_charge(struct pomp_thread *t) __attribute__((cold));

/* In a forked child: nothing was counted, and only the caller goes on. */
void pomp_counters_restart(struct pomp_thread *t, bool lives);

#endif
