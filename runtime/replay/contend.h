/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Waits for a lock that another thread held: pomp_clang/causes/timeline/contention.py. */
#ifndef POMP_REPLAY_CONTEND_H
#define POMP_REPLAY_CONTEND_H

#include "columns.h"

/* The locks that each location got, in time order; `rows` of all locations.  The other columns are
 * results, by lock and in time order; `criticals` of them have a number below 0. */
struct pomp_contending {
  uint64_t locations;
  const uint64_t *counts;
  const int64_t *const *lock;
  const int64_t *const *asked;
  const int64_t *const *got;
  const int64_t *const *released;
  uint64_t rows;
  int32_t *location;
  int32_t *row;
  int64_t *waited; /* up to when another one gave it up */
  int64_t *freed;  /* the time of the last release before; 0: unknown, or the lock was free */
  int32_t *before; /* the row of who gave it up then; -1 */
  uint64_t criticals;
};

/* False where there is not enough memory. */
POMP_REPLAY_EXPORT int pomp_contend(struct pomp_contending *run);

#endif
