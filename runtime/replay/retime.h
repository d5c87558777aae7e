/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* When the points of threads' courses would be reached with other work:
 * pomp_clang/causes/graph.py. */
#ifndef POMP_REPLAY_RETIME_H
#define POMP_REPLAY_RETIME_H

#include "columns.h"
#include "ticks.h"

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

/* Points course by course, each in the order of time, as `first` tells where they begin: one more
 * than there are courses.  `turn` becomes whose next point is next of all: the one that is reached
 * `after` least; of those at the same moment first that which as many of its course come before,
 * and of these those that give.  `next` and `heads` are room: for a row of each course. */
struct pomp_turns {
  uint64_t courses;
  const int64_t *first;
  const int64_t *after;
  const uint8_t *kind;
  int64_t *next;
  struct pomp_head {
    int64_t time;
    uint64_t rank;
    uint64_t course;
  } *heads;
  uint32_t *turn;
};

POMP_REPLAY_EXPORT void pomp_take_turns(const struct pomp_turns *run);

/* Columns with a row for each point; `turn` is whose next one is next.  `at` is when each course
 * has done its last, `given` the moment of each object, `next` room for a row of each course. */
struct pomp_points {
  uint64_t count;
  uint64_t courses;
  const uint32_t *turn;
  const int64_t *first;
  const uint8_t *kind;
  const int32_t *object; /* of a lock that nobody had: -1 */
  struct pomp_ticks work;
  struct pomp_ticks lag;
  const uint8_t *is_free;
  double *at;
  double *given;
  int64_t *next;
};

POMP_REPLAY_EXPORT void pomp_retime(const struct pomp_points *points);

/* The same points, and some of those that arrive at barriers, in their order.  The first
 * objects are `teams`, then come barriers, each of a `team`; `newest` is room for one of each. */
struct pomp_arriving {
  uint64_t courses;
  const int64_t *first;
  const uint8_t *kind;
  const int32_t *object;
  uint64_t teams;
  const int64_t *team;
  int64_t *newest;
  uint64_t arrivals;
  const int32_t *arrival;
  int32_t *since;
};

/* Of each the row from which on its course was on its own: the newest before at which it began the
 * region or left a barrier of the same team, or else the one before. */
POMP_REPLAY_EXPORT void pomp_alone_since(const struct pomp_arriving *run);

#endif
