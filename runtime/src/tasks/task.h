/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which task a thread is in. */
#ifndef POMP_TASK_H
#define POMP_TASK_H

#include "tasks/suspend.h"

/* The task's frame, above what the thread is in now; NULL when there is no room. */
static inline struct pomp_frame *pomp_task_push(struct pomp_thread *t, uint32_t region,
                                                uint64_t *slot, uint64_t now) {
  uint32_t below = t->stack->base;
  struct pomp_frame *f = pomp_push(t, region, POMP_FRAME_TASK, slot, 0, now);
  if (!f)
    return NULL;
  f->below = below;
  t->stack->base = t->stack->record->depth;
  pomp_suspend_beneath(t, f, now);
  return f;
}

/* Closes the tasks above the one whose frame is `base` (from 1; 0: above all implicit ones).
 * They were cancelled, or have gone on elsewhere, some time since the thread's last event. */
void pomp_task_end_to(struct pomp_thread *t, uint64_t base);

/* The same, down to the task in which a frame of this region and kind is the newest. */
void pomp_task_end_above(struct pomp_thread *t, uint32_t region, unsigned kinds);

/* Closes the tasks at the top that a thread cannot be in any more when it begins another. */
void pomp_task_end_all_lost(struct pomp_thread *t);

static inline void pomp_task_end_lost(struct pomp_thread *t) {
  if (t->stack->base)
    pomp_task_end_all_lost(t);
}

/* Closes untied tasks above the team's frame, when the team shares work or meets, which no task
 * does.  They ran in a barrier without events, such as a compiler's own before a reduction, and
 * have gone on elsewhere. */
void pomp_task_end_gone(struct pomp_thread *t);

#endif
