/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Metrics that a thread counts in addition to time.  Each event charges the counts since the event
 * before
 * to the call path that the thread was on. */
#ifndef POMP_COUNTERS_H
#define POMP_COUNTERS_H

#include "profile/path.h"

enum { POMP_COUNTER_BLOCKS = POMP_MOST_PATHS / POMP_BLOCK_PATHS };

/* The calling thread counts for this location from here on; nothing where nothing is counted.
 * Without a record the location is no part of the experiment.  The caller holds the init lock. */
void pomp_counters_attach(struct pomp_thread *t, bool recorded);
void pomp_counters_detach(struct pomp_thread *t);

/* Only where the location counts. */
void pomp_counters_charge(struct pomp_thread *t) __attribute__((cold));

/* For a snapshot, which another thread takes with the init lock held: the sums of a block of call
 * paths, or NULL if it has none; the counts at the newest event; and the counts now, if other
 * threads can read them. */
const uint64_t *pomp_counters_block(const struct pomp_thread *t, uint32_t block);
const uint64_t *pomp_counters_last(const struct pomp_thread *t);
void pomp_counters_look(const struct pomp_thread *t, uint64_t *values);

/* Returns the time of an event, which is the thread's newest one from here on; counts up to it. */
static inline uint64_t pomp_stamp(struct pomp_thread *t) {
  if (__builtin_expect(t->counters != NULL, 0))
    pomp_counters_charge(t);
  return t->location->last = pomp_now();
}

#endif
