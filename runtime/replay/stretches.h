/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the stretches of a location's time line sum up to: pomp_clang/causes/stretches.py. */
#ifndef POMP_REPLAY_STRETCHES_H
#define POMP_REPLAY_STRETCHES_H

#include "columns.h"

/* Each lasts up to the next one's begin, the last up to `end`.  `doing` is a code for what is done
 * in it. */
struct pomp_stretches {
  uint64_t count;
  const int64_t *begin;
  const uint16_t *path;
  uint8_t *doing;
  int64_t end;
};

/* Time between `begin` and `end` of `pieces`, which are disjoint and in order, by call path; of
 * stretches whose code `counts`. */
struct pomp_overlapping {
  struct pomp_stretches of;
  const uint8_t *counts;
  uint64_t pieces;
  const int64_t *piece_begin;
  const int64_t *piece_end;
  int64_t *ticks;
};

/* Time of the stretches from `first` up to `last` of each segment, in its row of a table with
 * `width` columns: that of the call path's column, or the last column where the code is of
 * `waits`. */
struct pomp_working {
  struct pomp_stretches of;
  const uint8_t *waits;
  const int64_t *column;
  uint64_t segments;
  const int64_t *first;
  const int64_t *last;
  const int64_t *row;
  uint64_t width;
  double *table;
};

POMP_REPLAY_EXPORT void pomp_overlap(const struct pomp_overlapping *run);

POMP_REPLAY_EXPORT void pomp_work(const struct pomp_working *run);

/* The rows that lead to one another from `at` on, until one leads to none, which is less than 0;
 * no more than `room`.  Returns how many. */
POMP_REPLAY_EXPORT uint64_t pomp_follow(const int64_t *next, uint64_t room, int64_t at,
                                        int64_t *found);

#endif
