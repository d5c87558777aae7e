/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The process's measurement: when it begins and ends. */
#ifndef POMP_PROCESS_H
#define POMP_PROCESS_H

#include <stdatomic.h>
#include <stdbool.h>

enum pomp_state { POMP_NOT_STARTED, POMP_RUNNING, POMP_OVER };

extern _Atomic int pomp_state;

/* Between POMP_Off and POMP_On. */
extern _Atomic bool pomp_muted;

static inline bool pomp_is_running(void) {
  return atomic_load_explicit(&pomp_state, memory_order_relaxed) == POMP_RUNNING;
}

static inline bool pomp_is_muted(void) {
  return atomic_load_explicit(&pomp_muted, memory_order_relaxed);
}

/* True when the measurement is running; starts it when it was not yet. */
bool pomp_start(void);

/* Makes the experiment's directory and file, unless there are any: what is measured is in memory
 * up to the first event.  False where they cannot be made: nothing is measured then.  Within
 * pomp_slow_begin and _end. */
bool pomp_place(void);

/* Ends it for good. */
void pomp_end(void);

#endif
