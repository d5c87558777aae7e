/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Other work at points of locations: pomp_clang/causes/what_if/scale_work.py. */
#ifndef POMP_REPLAY_REWORK_H
#define POMP_REPLAY_REWORK_H

#include "columns.h"
#include "intervals.h"
#include "ticks.h"

/* The points of a location, in the order of time: `work` ticks lead to each from `after` of the one
 * before, to the first from `start`.  `begin` and `end` are of pieces of time that are disjoint
 * and in order; `part` of what lies in them is spared. */
struct pomp_sparing {
  uint64_t points;
  const int64_t *after;
  double *work;
  uint64_t pieces;
  const int64_t *begin;
  const int64_t *end;
  int64_t start;
  double part;
};

/* Returns the time that is spared after the last point. */
POMP_REPLAY_EXPORT double pomp_spare(const struct pomp_sparing *run);

/* The same for what a location does in some of its time: the intervals whose code has a group, and
 * whose call path `is_here`.  Each group is a change of its own, with its `parts`: `work` becomes
 * its value after all changes, at least 0.  `tails` are the times of each that are spared after the
 * last point, and `ticks` room for one of each.  `is_free` is set for each wait that ends in one of
 * the intervals. */
struct pomp_sparing_doing {
  struct pomp_intervals of;
  uint64_t is_in_order; /* whether the intervals are in the order of time */
  const uint8_t *group; /* 0: none */
  const uint8_t *is_here;
  uint64_t points;
  const int64_t *after;
  const uint8_t *kind;
  double *work;
  uint8_t *is_free;
  int64_t start;
  uint64_t groups;
  const double *parts;
  double *tails;
  int64_t *ticks;
};

POMP_REPLAY_EXPORT void pomp_spare_doing(const struct pomp_sparing_doing *run);

/* Spans of points: those after each `since` up to each `until`. */
struct pomp_spans {
  uint64_t count;
  const int64_t *since;
  const int64_t *until;
};

/* Each span's work by its factor. */
POMP_REPLAY_EXPORT void pomp_scale_spans(const struct pomp_spans *spans, const double *factor,
                                         const struct pomp_ticks *work, double *scaled);

#endif
