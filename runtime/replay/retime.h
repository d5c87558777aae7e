/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* When the points of threads' courses would be reached with other work:
 * pomp_clang/causes/graph.py. */
#ifndef POMP_REPLAY_RETIME_H
#define POMP_REPLAY_RETIME_H

#include "columns.h"

/* The first ones give a moment of their object, those from POMP_POINT_BEGIN on need it. */
enum pomp_point {
  POMP_POINT_FORK,
  POMP_POINT_ARRIVE,
  POMP_POINT_RELEASE,
  POMP_POINT_DONE,
  POMP_POINT_BEGIN,
  POMP_POINT_PASS,
  POMP_POINT_GOT,
  POMP_POINT_WAITED
};

/* Columns with a row for each point; `order` has the rows in the order of time.  `at` is when
 * each course has done its last, `given` the moment of each object. */
struct pomp_points {
  uint64_t count;
  const uint32_t *order;
  const uint8_t *kind;
  const int32_t *course;
  const int32_t *object; /* of a lock that nobody had: -1 */
  const double *work;
  const double *lag;
  const uint8_t *is_free;
  double *at;
  double *given;
};

POMP_REPLAY_EXPORT void pomp_retime(const struct pomp_points *points);

/* Points course by course, and some of those that arrive at barriers, in their order.  The first
 * objects are `teams`, then come barriers, each of a `team`; `newest` is room for one of each. */
struct pomp_arriving {
  uint64_t count;
  const uint8_t *kind;
  const int32_t *course;
  const int32_t *object;
  uint64_t teams;
  const int64_t *team;
  int64_t *newest;
  uint64_t arrivals;
  const int64_t *arrival;
  int64_t *since;
};

/* Of each the row from which on its course was on its own: the newest before at which it began the
 * region or left a barrier of the same team, or else the one before. */
POMP_REPLAY_EXPORT void pomp_alone_since(const struct pomp_arriving *run);

#endif
