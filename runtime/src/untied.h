/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Untied tasks, which may come back on another thread than they left.
 *
 * Where such a task may leave its thread, its frames are copied to where any thread finds
 * them, and stay on the thread's stack as well: it may come back there, or wait there.
 * When it comes back elsewhere it goes on with the copy, from that time on; what is left
 * on the first thread is closed with what that thread has seen of it.  So each thread
 * books only what is its own. */
#ifndef POMP_UNTIED_H
#define POMP_UNTIED_H

#include "stack.h"

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

/* Whether the frame is an untied task's that has not gone on here since it could go on
 * elsewhere. */
bool pomp_untied_is_away(struct pomp_thread *t, const struct pomp_frame *f);

/* Whether what the frame stood for is on another thread now. */
bool pomp_untied_has_moved(struct pomp_thread *t, const struct pomp_frame *f);

/* The frame is taken off the thread's stack. */
void pomp_untied_leaves(struct pomp_thread *t, const struct pomp_frame *f);

#endif
