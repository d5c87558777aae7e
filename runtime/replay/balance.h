/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Even shares of the work before barriers: pomp_clang/causes/what_if/change_barriers.py. */
#ifndef POMP_REPLAY_BALANCE_H
#define POMP_REPLAY_BALANCE_H

#include "columns.h"
#include "ticks.h"

/* Points at which members arrive at barriers: each has the rows behind `since` up to it on its own.
 * Their work adds up to `amount`.  Barriers are the objects of points from `first_barrier` on, each
 * with its `members`; `done` is their work together, and then the share of each.  `scaled` gets the
 * `changed` work in proportion to the share. */
struct pomp_balancing {
  uint64_t arrivals;
  const int32_t *arrival;
  const int32_t *since;
  const int32_t *object;
  int64_t first_barrier;
  struct pomp_ticks work;
  struct pomp_ticks changed;
  double *scaled;
  double *done;
  int64_t *members;
  double *amount;
};

/* Adds up `done`, `members` and `amount`. */
POMP_REPLAY_EXPORT void pomp_sum_work(const struct pomp_balancing *run);

/* Makes `scaled`.  A member with too little work has the rest where it arrives. */
POMP_REPLAY_EXPORT void pomp_share_work(const struct pomp_balancing *run);

#endif
