/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Other work at points of threads' courses: pomp_clang/causes/rework.py. */
#ifndef POMP_REPLAY_REWORK_H
#define POMP_REPLAY_REWORK_H

#include "columns.h"

/* The points of a course, in the order of time: `work` ticks lead to each from `after` of the one
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

/* Returns what is spared after the last point. */
POMP_REPLAY_EXPORT double pomp_spare(const struct pomp_sparing *run);

/* Spans of points: those after each `since` up to each `until`. */
struct pomp_spans {
  uint64_t count;
  const int64_t *since;
  const int64_t *until;
};

POMP_REPLAY_EXPORT void pomp_sum_spans(const struct pomp_spans *spans, const double *work,
                                       double *sums);

/* Each span's work by its factor. */
POMP_REPLAY_EXPORT void pomp_scale_spans(const struct pomp_spans *spans, const double *factor,
                                         const double *work, double *scaled);

#endif
