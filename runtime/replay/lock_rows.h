/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows of a contention, and those of the locations: pomp_clang/causes/timeline/contention.py. */
#ifndef POMP_REPLAY_LOCK_ROWS_H
#define POMP_REPLAY_LOCK_ROWS_H

#include "columns.h"

/* `location` and `row` say whose lock each row is; `first` is the first row of each location where
 * the rows of all are joined. */
struct pomp_lock_rows {
  uint64_t count;
  const int32_t *location;
  const int32_t *row;
  const int64_t *first;
};

/* Finds, for each row of the joined ones, that of the contention. */
POMP_REPLAY_EXPORT void pomp_number_locks(const struct pomp_lock_rows *of, int32_t *numbers);

/* Copies the values at some rows out of a column of each location; a value has `size` bytes. */
POMP_REPLAY_EXPORT void pomp_pick(const struct pomp_lock_rows *of, uint64_t rows, const int64_t *at,
                                  const void *const *columns, uint64_t size, void *picked);

/* The locks of a location: `number` has the row of each, and those before which it was not free are
 * the release of another row.  Results: the `object` that each needs, `objects` beyond that row, or
 * -1; and the ticks from when it was free and asked for to when it was got. */
struct pomp_needing {
  uint64_t count;
  const int32_t *number;
  const int64_t *freed;
  const int32_t *before;
  const int64_t *asked;
  const int64_t *got;
  int64_t objects;
  int32_t *object;
  double *lag;
};

POMP_REPLAY_EXPORT void pomp_lock_needs(const struct pomp_needing *run);

#endif
