/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The steps of recorded tasks: pomp_clang/causes/remedies/task_graph.py. */
#ifndef POMP_REPLAY_TASK_STEPS_H
#define POMP_REPLAY_TASK_STEPS_H

#include "columns.h"

/* The value is ticks of work, a created task, or the call path of a wait. */
enum pomp_step { POMP_STEP_WORK, POMP_STEP_CREATE, POMP_STEP_WAIT };

/* The phases and the visits of a location, each in time order: runs of tasks, creations of tasks
 * and waits for them, with the ticks that the location has worked up to their begins and ends.
 * Each phase gets a task that stands for its implicit one.  A step has the call path of the wait or
 * of the creation; its task is a number among those of the location. */
struct pomp_following {
  uint64_t phases;
  const int64_t *since;
  const int64_t *until;
  const double *busy_since;
  const double *busy_until;
  uint64_t visits;
  const int64_t *begin;
  const int64_t *end;
  const double *busy_begin;
  const double *busy_end;
  const uint8_t *kind;
  const uint16_t *path;
  const uint8_t *is_group; /* by call path: a task group */
  struct pomp_rows tasks;
  int32_t *task_path; /* -1: implicit */
  int64_t *task_begin;
  struct pomp_rows steps;
  int32_t *step_task;
  uint8_t *step_kind;
  double *step_value;
  struct pomp_rows created;
  int64_t *created_begin;
  int64_t *created_step;
  double *created_price;
};

/* POMP_REPLAY_ROOM if there is not enough, of the tables' or for the open tasks. */
POMP_REPLAY_EXPORT int pomp_follow_tasks(struct pomp_following *run);

#endif
