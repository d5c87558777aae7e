/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Untied tasks, which may continue on another thread.
 *
 * At a place where such a task may leave its thread, its frames are copied to memory that any
 * thread finds.  They stay on the thread's stack as well, for the task may come back or wait there.
 * If it continues elsewhere, the other thread goes on with the copy from that time on.  The first
 * thread closes its frames with the times that it has seen.  So each thread books only its own
 * times. */
#ifndef POMP_UNTIED_H
#define POMP_UNTIED_H

#include "profile/stack.h"

/* A new task's frame, of an untied one. */
void pomp_untied_begins(struct pomp_thread *t, struct pomp_frame *task);

/* The newest task's frames, if it is an untied one, may go on elsewhere from now. */
void pomp_untied_park(struct pomp_thread *t);

static inline void pomp_untied_may_move(struct pomp_thread *t) {
  if (__builtin_expect(t->stack->base != 0, 0))
    pomp_untied_park(t);
}

/* An even number for a task that can be followed, or 1. */
uintptr_t pomp_untied_token(const struct pomp_frame *task);

/* The thread is in the task of this token (again), if there is one. */
void pomp_untied_resumes(struct pomp_thread *t, uintptr_t token);

/* True if the frame is an untied task's, and the task has not continued here since it could leave
 * the thread. */
bool pomp_untied_is_away(struct pomp_thread *t, const struct pomp_frame *f);

/* True if the frame's task is on another thread now. */
bool pomp_untied_has_moved(struct pomp_thread *t, const struct pomp_frame *f);

/* The frame is taken off the thread's stack. */
void pomp_untied_leaves(struct pomp_thread *t, const struct pomp_frame *f);

#endif
