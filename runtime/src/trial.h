/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The runtime's own events, tried at a location that no report sees. */
#ifndef POMP_TRIAL_H
#define POMP_TRIAL_H

#include "export.h"

#include <stdbool.h>
#include <stdint.h>

enum { POMP_TRIAL_TURNS = 32 };

/* Ticks of so many visits. */
struct pomp_cost {
  uint64_t total, within;
};

/* What the events of a trial are of. */
extern OMPRegDescr pomp_trial_place;

/* False: there is no memory for it. */
bool pomp_trial_make(void);

/* The calling thread's events are the trial's in between. */
struct pomp_thread *pomp_trial_begin(void);
void pomp_trial_end(struct pomp_thread *self);

/* Whether an event takes the way that is inlined in programs. */
bool pomp_trial_is_short(void);

/* What a visit costs. */
struct pomp_cost pomp_trial_of(void (*visit)(void));

/* What a visit adds to the construct itself, which goes on while events wait for the clock. */
struct pomp_cost pomp_trial_added(void (*visit)(void), void (*bare)(void));

/* What a task costs where it runs. */
struct pomp_cost pomp_trial_of_task(void (*visit)(void));

#endif
