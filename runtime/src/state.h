/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The state of the measurement that every layer asks for, and the few calls that lower layers make
 * to the highest one. */
#ifndef POMP_STATE_H
#define POMP_STATE_H

#include "export.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum pomp_state { POMP_NOT_STARTED, POMP_RUNNING, POMP_OVER };

extern _Atomic int pomp_state;

/* Between POMP_Off and POMP_On. */
extern _Atomic bool pomp_muted;

/* Events are recorded.  Set before the first event, and not again. */
extern bool pomp_traces;

/* The number of metrics that are counted.  Set before the first event, and not again. */
extern uint32_t pomp_metric_count;

/* A construct of the program is compiled for OMPT.  Set under the init lock. */
extern bool pomp_ompt_wanted;

/* The program has a target construct and is linked for devices.  Set under the init lock. */
extern bool pomp_target_wanted;

/* Functions of the layers above the event path, reached through this table so that the layers
 * below do not depend on them: process/process.c has the table. */
struct pomp_process_calls {
  bool (*start)(void);
  bool (*place)(void);
  void (*before_critical)(OMPRegDescr *d);
  void (*before_master)(OMPRegDescr *d);
  void (*before_devices)(void);
  void (*before_target)(void);
};
extern const struct pomp_process_calls pomp_process_calls;

static inline bool pomp_is_running(void) {
  return atomic_load_explicit(&pomp_state, memory_order_relaxed) == POMP_RUNNING;
}

static inline bool pomp_is_muted(void) {
  return atomic_load_explicit(&pomp_muted, memory_order_relaxed);
}

/* Starts the measurement if it has not started yet; true while it is running. */
static inline bool pomp_start(void) { return pomp_process_calls.start(); }

/* Makes the experiment's directory and file, unless they exist: until the first event the data is
 * in memory.  False if they cannot be made; then nothing is measured.  The caller holds the init
 * lock. */
static inline bool pomp_place(void) { return pomp_process_calls.place(); }

#endif
