/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* List schedules of recorded tasks: pomp_clang/causes/remedies/change_tasks.py. */
#ifndef POMP_REPLAY_TASK_SCHEDULE_H
#define POMP_REPLAY_TASK_SCHEDULE_H

#include "task_steps.h"

/* A task's steps are the rows from its `first` to the next one's.  A phase has one implicit task
 * for each thread of its team, `roots` from its `first_root` to the next one's.  Every task is
 * created by one step at most.
 *
 * The change: tasks with less work than `cutoff`, with all tasks below them, are run where they are
 * created.  Waits at call paths that are `dropped` are left out; with `in_rounds`, a task begins
 * after the one at the same place of the round before.  Result: the ticks of each phase. */
struct pomp_scheduling {
  uint64_t tasks;
  const int64_t *first;
  const uint8_t *kind;
  const double *value;
  const int32_t *thread;
  const int32_t *parent;
  const double *inclusive;
  const double *creation;
  uint64_t phases;
  const int64_t *first_root;
  const int32_t *roots;
  double dispatch;
  double cutoff;
  const uint8_t *dropped; /* by the call path of the wait */
  uint64_t in_rounds;
  double *took;
};

/* POMP_REPLAY_ROOM if there is no memory. */
POMP_REPLAY_EXPORT int pomp_schedule_tasks(const struct pomp_scheduling *run);

#endif
