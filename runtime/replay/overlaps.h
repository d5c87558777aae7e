/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Overlaps of two rows of intervals: pomp_clang/causes/timeline/columns.py. */
#ifndef POMP_REPLAY_OVERLAPS_H
#define POMP_REPLAY_OVERLAPS_H

#include "columns.h"

struct pomp_spans_in_order {
  uint64_t count;
  const int64_t *begin;
  const int64_t *end;
};

/* The results have room for a row of each interval of both. */
struct pomp_overlaps {
  struct pomp_spans_in_order one;
  struct pomp_spans_in_order other;
  int64_t *one_row;
  int64_t *other_row;
  int64_t *begin;
  int64_t *end;
};

/* Returns the number of overlaps, or UINT64_MAX if intervals of either are not disjoint and in
 * order. */
POMP_REPLAY_EXPORT uint64_t pomp_find_overlaps(const struct pomp_overlaps *run);

#endif
