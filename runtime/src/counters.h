/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a thread counts besides time: at each event, what was counted since the one before is
 * the call path's that the thread was on. */
#ifndef POMP_COUNTERS_H
#define POMP_COUNTERS_H

#include "path.h"

enum { POMP_COUNTER_BLOCKS = POMP_MOST_PATHS / POMP_BLOCK_PATHS };

/* The calling thread counts for this location from here on; nothing where nothing is counted.
 * Without a record the location is no part of the experiment.  Within pomp_slow_begin and _end. */
void pomp_counters_attach(struct pomp_thread *t, bool recorded);
void pomp_counters_detach(struct pomp_thread *t);

/* Only where the location counts. */
void pomp_counters_charge(struct pomp_thread *t) __attribute__((cold));

/* For a look from another thread, within pomp_slow_begin and _end.  NULL where nothing is counted
 * for any path of the block; what the counters showed at the newest event; and what they show, as
 * far as others can read them. */
const uint64_t *pomp_counters_block(const struct pomp_thread *t, uint32_t block);
const uint64_t *pomp_counters_last(const struct pomp_thread *t);
void pomp_counters_look(const struct pomp_thread *t, uint64_t *values);

/* In a forked child: nothing was counted, and only the caller goes on. */
void pomp_counters_restart(struct pomp_thread *t, bool lives);

#endif
