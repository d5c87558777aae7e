/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What who came last to a barrier did beyond the others: pomp_clang/causes/charge.py. */
#ifndef POMP_REPLAY_CHARGE_H
#define POMP_REPLAY_CHARGE_H

#include "columns.h"

/* What was done at a call path before a barrier: ticks of the others, and of who came last, with
 * the first and the last of that; nothing is met between two barriers. */
struct pomp_work_done {
  uint64_t is_met;
  int64_t others, own;
  int64_t since, until;
};

/* Of each course its stretches, as in stretches.h, and its segments, which lead to a barrier each.
 * All courses' segments have a number, that of the first of them is `base`: `of` is their course,
 * and through `first` and `next` those of a barrier are found, up to one that is less than 0.
 * Of a barrier: who came last and when, and the ticks that were waited.  `column` is of a call
 * path, the last of `width` columns is of waits.
 *
 * Results by barrier: those ticks for which who came last had waited itself, and the column where
 * it came; and rows of those for what it did, from when to when it did that. */
struct pomp_charging {
  uint64_t courses;
  const uint64_t *stretches;
  const int64_t *const *begin;
  const uint16_t *const *path;
  const uint8_t *const *doing;
  const int64_t *end;
  const uint64_t *base;
  const int64_t *const *barrier;
  const int64_t *const *since;
  const int64_t *const *until;
  const uint16_t *const *came_at;
  int32_t *of;
  int32_t *next;
  const uint8_t *waits;
  const int64_t *column;
  uint64_t width;
  uint64_t barriers;
  int32_t *first;
  const int64_t *last;
  const int64_t *last_came;
  const double *waited;
  double *waiting;
  int64_t *where;
  struct pomp_work_done *work; /* by column */
  uint64_t *met;               /* columns, of which there is room for all */
  struct pomp_rows rows;
  int64_t *row_barrier;
  int64_t *row_column;
  double *row_ticks;
  int64_t *row_since;
  int64_t *row_until;
};

/* Makes `of`, `first` and `next`. */
POMP_REPLAY_EXPORT void pomp_charge_link(struct pomp_charging *run);

/* Of barriers from a number on, as many as there is room for: that is to be for every column.
 * Returns the number of the next. */
POMP_REPLAY_EXPORT uint64_t pomp_charge(struct pomp_charging *run, uint64_t barrier);

#endif
