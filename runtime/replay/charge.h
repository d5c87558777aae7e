/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Work of the thread that arrived last at a barrier, beyond the work of the others:
 * pomp_clang/causes/waits/delay_kernel.py. */
#ifndef POMP_REPLAY_CHARGE_H
#define POMP_REPLAY_CHARGE_H

#include "columns.h"

/* Work at a call path before a barrier: ticks of the others, and of the last to arrive, with the
 * begin and end of its own work.  Between two barriers nothing is met. */
struct pomp_work_done {
  uint64_t is_met;
  int64_t others, own;
  int64_t since, until;
};

/* Each location has its intervals, as in intervals.h, and its segments, which lead to a barrier
 * each.  Segments are numbered over all locations, those of a location from its `base` on.  `of` is
 * a segment's location; `first` and `next` lead through the segments of a barrier, up to a number
 * below 0.  A barrier has the location that arrived last, the time of that, and the ticks that were
 * waited.  `column` is by call path; the last of `width` columns is for waits.
 *
 * Results by barrier: the ticks for which the last to arrive had waited itself, those that nothing
 * explains, and the column where it arrived.  Results by row: the work of the last to arrive, with
 * its begin and end. */
struct pomp_charging {
  uint64_t locations;
  const uint64_t *intervals;
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
  const int32_t *last;
  const int64_t *last_came;
  const double *waited;
  double *waiting;
  double *rest;
  int32_t *where;
  struct pomp_work_done *work; /* by column */
  uint64_t *met;               /* columns, of which there is room for all */
  uint64_t *near;              /* by location: an interval from which the next search starts */
  struct pomp_rows rows;
  int64_t *row_barrier;
  int64_t *row_column;
  double *row_ticks;
  int64_t *row_since;
  int64_t *row_until;
};

/* Makes `of`, `first` and `next`. */
POMP_REPLAY_EXPORT void pomp_charge_link(struct pomp_charging *run);

/* Charges the barriers from this number on, as long as there is room for a row of every column.
 * Returns the number of the next barrier. */
POMP_REPLAY_EXPORT uint64_t pomp_charge(struct pomp_charging *run, uint64_t barrier);

/* Charges all barriers, and adds the ticks of each row, and those that nothing explains, to the
 * cell of their column and of the thread that arrived last. */
struct pomp_booking {
  struct pomp_charging *of;
  uint64_t threads;
  const int64_t *thread; /* by location */
  double *cells;         /* by column and thread */
};

POMP_REPLAY_EXPORT void pomp_book_charges(const struct pomp_booking *run);

#endif
