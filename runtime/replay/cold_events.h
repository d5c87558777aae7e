/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Events that are of no frame, or seldom: locks, departures, values of variables. */
#ifndef POMP_REPLAY_COLD_EVENTS_H
#define POMP_REPLAY_COLD_EVENTS_H

#include "machine.h"

#include <stdbool.h>

/* False where a table has not enough room. */
bool pomp_run_cold_event(struct machine *m, unsigned op, unsigned path, int64_t time,
                         const int64_t *values, uint64_t count);

/* The locks that the thread has. */
void pomp_release_all(struct machine *m, int64_t time);

#endif
