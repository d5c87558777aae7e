/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Times at which the points of locations would be reached with other work:
 * pomp_clang/causes/waits/wait_graph.py. */
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

/* Points of one location after the other, each in time order; `first` has the beginning of each,
 * and the end.  Result: `turn` has the location whose next point comes next.  Ties: the point that
 * fewer points of its location precede comes first, then points that release others.  `next` and
 * `heads` are room for a row of each location. */
struct pomp_turns {
  uint64_t locations;
  const int64_t *first;
  const int64_t *after;
  const uint8_t *kind;
  int64_t *next;
  struct pomp_head {
    int64_t time;
    uint64_t rank;
    uint64_t location;
  } *heads;
  uint32_t *turn;
};

POMP_REPLAY_EXPORT void pomp_take_turns(const struct pomp_turns *run);

/* Columns with a row for each point; `turn` is whose next one is next.  `at` is when each location
 * has done its last, `given` the moment of each object, `next` room for a row of each location. */
struct pomp_points {
  uint64_t count;
  uint64_t locations;
  const uint32_t *turn;
  const int64_t *first;
  const uint8_t *kind;
  const int32_t *object; /* -1: a lock that was free */
  struct pomp_ticks work;
  struct pomp_ticks lag;
  const uint8_t *is_free;
  double *at;
  double *given;
  int64_t *next;
};

POMP_REPLAY_EXPORT void pomp_retime(const struct pomp_points *points);

/* Marks the points of a kind whose call path `is_here`. */
POMP_REPLAY_EXPORT void pomp_mark_points(uint64_t count, const uint8_t *kinds, unsigned kind,
                                         const uint16_t *path, const uint8_t *is_here,
                                         uint8_t *marks);

/* The same points, and some of those that arrive at barriers, in their order.  The first objects
 * are teams, the others barriers, each of a `team`.  `newest` is room for one row of each team. */
struct pomp_arriving {
  uint64_t locations;
  const int64_t *first;
  const uint8_t *kind;
  const int32_t *object;
  uint64_t teams;
  const int32_t *team;
  int64_t *newest;
  uint64_t arrivals;
  const int32_t *arrival;
  int32_t *since;
};

/* Finds for each arrival the row from which its location was on its own.  That is the latest point
 * before it that began the region or left a barrier of its team.  If there is none, it is the point
 * before. */
POMP_REPLAY_EXPORT void pomp_alone_since(const struct pomp_arriving *run);

#endif
