/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The runtime's own events, tried at a location that no report sees. */
#ifndef POMP_SELF_MEASUREMENT_H
#define POMP_SELF_MEASUREMENT_H

#include "export.h"

#include <stdbool.h>
#include <stdint.h>

/* PATH is the call path of all trials. */
enum { POMP_SELF_MEASUREMENT_TURNS = 32, POMP_SELF_MEASUREMENT_PATH = 1 };

/* Ticks of POMP_SELF_MEASUREMENT_TURNS visits. */
struct pomp_cost {
  uint64_t total, within;
};

/* A visit whose events are timed from outside, one by one, as events/prices.h does it: the sum of
 * their ticks, and their number. */
struct pomp_timed {
  double ticks;
  int events;
};

/* The descriptor of all events that are measured here. */
extern OMPRegDescr pomp_self_measurement_region;

/* False: there is no memory for it. */
bool pomp_self_measurement_make(void);

/* The calling thread's events are the trial's in between. */
struct pomp_thread *pomp_self_measurement_begin(void);
void pomp_self_measurement_end(struct pomp_thread *self);

/* True if an event takes the short way, which is inlined in programs. */
bool pomp_self_measurement_is_fast(void);

/* Returns the cost of a visit. */
struct pomp_cost pomp_cost_of(void (*visit)(void));

/* Returns the cost that a visit adds to the construct itself.  Part of the construct's work
 * overlaps with the reading of the clock. */
struct pomp_cost pomp_cost_added(void (*visit)(void), void (*bare)(void));

/* Returns the cost of a task on the thread that runs it. */
struct pomp_cost pomp_cost_of_task(void (*visit)(void));

/* Return the same visits' times, the least of several tries.  They exceed the cost: an event that
 * is timed does not overlap with the one before it. */
struct pomp_timed pomp_timed(void (*visit)(void));
struct pomp_timed pomp_timed_task(void (*visit)(void));

/* Returns the mean ticks of an event of this kind, an enum pomp_priced, in the newest pomp_timed.
 */
double pomp_self_measurement_timed(int kind);

#endif
