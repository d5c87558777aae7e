/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Who waited for a lock that another one had: pomp_clang/causes/contention.py. */
#ifndef POMP_REPLAY_CONTEND_H
#define POMP_REPLAY_CONTEND_H

#include "columns.h"

/* What each of the courses got, in the order of time; of all of them there are `rows`.  The others
 * are results, by lock and in the order of time; `criticals` of them have a number below 0. */
struct pomp_contending {
  uint64_t courses;
  const uint64_t *counts;
  const int64_t *const *lock;
  const int64_t *const *asked;
  const int64_t *const *got;
  const int64_t *const *released;
  uint64_t rows;
  int32_t *course;
  int32_t *row;
  int64_t *waited; /* up to when another one gave it up */
  int64_t *freed;  /* when that was, the last time before; 0: not known, or nobody had it */
  int32_t *before; /* the row of who gave it up then; -1 */
  uint64_t criticals;
};

/* False where there is not enough memory. */
POMP_REPLAY_EXPORT int pomp_contend(struct pomp_contending *run);

#endif
