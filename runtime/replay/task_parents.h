/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The creation that each task is of: pomp_clang/causes/remedies/task_graph.py. */
#ifndef POMP_REPLAY_TASK_PARENTS_H
#define POMP_REPLAY_TASK_PARENTS_H

#include "columns.h"

/* Creations and begins of tasks of all locations, in the order of time: each is of a construct and
 * on a location.  The result is, for a begin, the row of its creation, -1 if there is none. */
struct pomp_parenting {
  uint64_t moments;
  const uint8_t *is_begin;
  const int32_t *construct;
  const int32_t *location;
  uint64_t constructs;
  uint64_t locations;
  int64_t *creation;
};

/* A begin takes the newest creation of its own location, else the oldest of the first other one.
 * POMP_REPLAY_ROOM if there is no memory. */
POMP_REPLAY_EXPORT int pomp_find_parents(const struct pomp_parenting *run);

/* Some tasks, each after all tasks below it: the work of each, and of all below it, is added to
 * `inclusive`. */
POMP_REPLAY_EXPORT void pomp_sum_tasks(uint64_t count, const int64_t *tasks, const int32_t *parent,
                                       const double *work, double *inclusive);

#endif
