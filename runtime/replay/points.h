/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Points of a location in time order: pomp_clang/causes/waits/wait_graph.py. */
#ifndef POMP_REPLAY_POINTS_H
#define POMP_REPLAY_POINTS_H

#include "columns.h"

/* Points of one kind, in the order of time and then of `place`, which is that of the rows of
 * `order` if there is such a column.  The location reaches them at `before`, or at `after` if there
 * is no such column.  `lag` is 0 without one, and `place` `same_place`. */
struct pomp_point_rows {
  uint64_t count;
  uint64_t kind;
  const int64_t *order;
  const int32_t *object;
  const uint16_t *path;
  const int64_t *before;
  const int64_t *after;
  const double *lag;
  const int32_t *place;
  int64_t same_place;
};

/* The points of several kinds become one sequence: by time, then by place, then those that release
 * others, then in the order of the kinds.  `work` is the ticks from the point before, for the first
 * one from `start`.  One of the two columns of work is NULL, and one of those of `lag`. */
struct pomp_merging {
  uint64_t kinds;
  const struct pomp_point_rows *rows;
  int64_t start;
  struct pomp_point_head {
    int64_t time;
    int64_t place;
    uint64_t kind;
    uint64_t number; /* of the point among those of its kind */
  } *heads;          /* room for one of each kind */
  uint8_t *kind;
  int32_t *object;
  uint16_t *path;
  int64_t *after;
  double *work;
  uint32_t *whole_work;
  double *lag;
  uint32_t *whole_lag;
};

/* Columns that cannot hold their values. */
enum { POMP_WORK_IS_REAL = 1, POMP_LAG_IS_REAL = 2 };

/* True if the rows are in order. */
POMP_REPLAY_EXPORT int pomp_points_are_sorted(const struct pomp_point_rows *rows);

/* Returns which columns have to be real ones, in another call. */
POMP_REPLAY_EXPORT int pomp_merge_points(const struct pomp_merging *run);

#endif
