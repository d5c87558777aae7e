/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The cost of a loop's iterations: for each thread, and for some executions of the loop, the time
 * by the value of the loop variable.  A record has a bounded number of bins; where the values do
 * not fit, pairs of bins are merged. */
#ifndef POMP_ITERATIONS_H
#define POMP_ITERATIONS_H

#include "location/thread.h"

/* Executions 1, 2, 4, ... of a loop are recorded, this many. */
enum { POMP_RECORDED_EXECUTIONS = 8 };

/* A loop of a thread. */
struct pomp_iterations {
  uint32_t region;
  uint32_t executions;
  uint32_t inner; /* executions within one of its own iterations, that are not recorded */
  uint32_t made;  /* records */
  bool entered;
  bool runs; /* an iteration, of `value`, since `since` */
  int64_t value;
  uint64_t since;
  struct pomp_iterations_record *record; /* of this execution; NULL: none */
  struct pomp_iterations_record *records[POMP_RECORDED_EXECUTIONS];
  struct pomp_iterations *outer; /* the loop that this one is in, while it is entered */
  struct pomp_iterations *next;
};

/* The thread comes to the loop, and has done its part.  The first takes the init lock if the
 * execution is to be recorded. */
void pomp_iterations_enter(struct pomp_thread *t, uint32_t region);
void pomp_iterations_leave(struct pomp_thread *t, uint32_t region);

/* Books an iteration. */
void pomp_iterations_add(struct pomp_iterations_record *r, int64_t value, uint64_t ticks);

/* The iteration that runs ends. */
static inline void pomp_iterations_close(struct pomp_iterations *loop, uint64_t now) {
  if (loop->runs)
    pomp_iterations_add(loop->record, loop->value, pomp_elapsed(loop->since, now));
  loop->runs = false;
}

#endif
