/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which task a thread is in. */
#ifndef POMP_TASK_H
#define POMP_TASK_H

#include "stack.h"

/* The task's frame, above what the thread is in now; NULL when there is no room. */
struct pomp_frame *pomp_task_push(struct pomp_thread *t, uint32_t region, uint64_t *slot,
                                  uint64_t now);

/* A task begins, made on the path that the thread keeps for that; the trace is not told.  What
 * was counted elsewhere goes on here. */
struct pomp_frame *pomp_task_begin(struct pomp_thread *t, uint32_t region, bool counts);

/* Closes the tasks above the one whose frame is `base` (from 1; 0: above all implicit ones).
 * They were cancelled, or have gone on elsewhere, some time since the thread's last event. */
void pomp_task_end_to(struct pomp_thread *t, uint64_t base);

/* The same, down to the task in which a frame of this region and kind is the newest. */
void pomp_task_end_above(struct pomp_thread *t, uint32_t region, unsigned kinds);

/* Closes the tasks at the top that a thread cannot be in any more when it begins another. */
void pomp_task_end_lost(struct pomp_thread *t);

/* The team that the thread is in shares work, or meets: no task does that.  Untied tasks that
 * are above it all the same ran in a barrier that makes no events, as compilers have one of
 * their own before they reduce, and have gone on elsewhere. */
void pomp_task_end_gone(struct pomp_thread *t);

#endif
