/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sums over the intervals of a location's timeline: pomp_clang/causes/timeline/interval_kernel.py.
 */
#ifndef POMP_REPLAY_INTERVALS_H
#define POMP_REPLAY_INTERVALS_H

#include "columns.h"

/* Each interval lasts up to the begin of the next, the last one up to `end`.  `doing` is the code
 * of its activity. */
struct pomp_intervals {
  uint64_t count;
  const int64_t *begin;
  const uint16_t *path;
  uint8_t *doing;
  int64_t end;
};

/* Time between `begin` and `end` of `pieces`, which are disjoint and in order, by call path; of
 * intervals whose code `counts`. */
struct pomp_overlapping {
  struct pomp_intervals of;
  const uint8_t *counts;
  uint64_t pieces;
  const int64_t *piece_begin;
  const int64_t *piece_end;
  int64_t *ticks;
};

/* Time of the intervals from `first` up to `last` of each segment, added to its row of a table with
 * `width` columns.  The column is the call path's, or the last one if `waits` has the code. */
struct pomp_working {
  struct pomp_intervals of;
  const uint8_t *waits;
  const int64_t *column;
  uint64_t segments;
  const int64_t *first;
  const int64_t *last;
  const int64_t *row;
  uint64_t width;
  double *table;
};

/* When the intervals at some rows end: those of one of the two columns, the other is NULL. */
struct pomp_ending {
  uint64_t count;
  const int64_t *begin;
  int64_t end;
  uint64_t rows;
  const int32_t *narrow;
  const int64_t *wide;
  int64_t *ends;
};

POMP_REPLAY_EXPORT void pomp_find_ends(const struct pomp_ending *run);

/* Intervals that are `wanted` by their code and last for any time, from `row` on.  `place` is the
 * row of a call path, and `share` the part of the severity that counts there; severities are in
 * units of `second` ticks.  The intervals are read in parts of `part` rows, up to the end of the
 * part with which there are `least` of them; results have room for as many and a part more.  `row`
 * is where to go on. */
struct pomp_selecting {
  struct pomp_intervals of;
  uint64_t row;
  uint64_t part;
  const uint8_t *wanted;
  const int64_t *place;
  const double *share;
  double second;
  uint64_t least;
  uint64_t selected;
  int64_t *selected_begin;
  int64_t *selected_end;
  int32_t *selected_place;
  double *severity;
};

POMP_REPLAY_EXPORT void pomp_select(struct pomp_selecting *run);

POMP_REPLAY_EXPORT void pomp_overlap(const struct pomp_overlapping *run);

POMP_REPLAY_EXPORT void pomp_work(const struct pomp_working *run);

/* The rows that lead to one another from `at` on, until one leads to none, which is less than 0;
 * no more than `room`.  Returns how many. */
POMP_REPLAY_EXPORT uint64_t pomp_follow(const int64_t *next, uint64_t room, int64_t at,
                                        int64_t *rows);

#endif
