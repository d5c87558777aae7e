/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Times that a task's open regions do not have, as other tasks run in its place.
 *
 * The time of tasks that run inside a wait is the wait's taskT, not its own time.  A region around
 * the wait does not last while an explicit task stands still; it does in an implicit task.  When a
 * frame is closed, it passes these times on to the frame beneath, so a task switch changes one
 * frame only. */
#ifndef POMP_SUSPEND_H
#define POMP_SUSPEND_H

#include "profile/stack.h"

/* A task's frame was pushed: what lies beneath it stands still. */
void pomp_suspend_beneath(struct pomp_thread *t, struct pomp_frame *task, uint64_t now);

/* A frame at the top is about to be taken off, one of a task or with ticks to pass on. */
void pomp_suspend_closing(struct pomp_thread *t, struct pomp_frame *f, uint64_t now);

/* True if the frame, counted from 1 and of another task than the newest, stands still now. */
bool pomp_suspend_holds(const struct pomp_stack *stack, uint64_t frame);

/* True if no PARALLEL frame lies above the newest task's own. */
bool pomp_is_in_explicit_task(const struct pomp_stack *stack);

/* Functions and user regions may recur, and their time is counted once: for the outermost visit in
 * a task, or for a visit around the task if that visit's time goes on. */
static inline void pomp_user_begins(struct pomp_thread *t, struct pomp_frame *f, uint64_t *slot) {
  uint64_t *outermost = (uint64_t *)(uintptr_t)slot[POMP_OUTERMOST];
  if (__builtin_expect(!outermost, 0))
    outermost = pomp_path_outermost(t, slot);
  uint64_t newest = outermost[POMP_OPEN];
  f->since = newest;
  if (__builtin_expect(newest != 0, 0) &&
      (newest > t->stack->base || !pomp_suspend_holds(t->stack, newest)))
    f->flags |= POMP_FRAME_INNER;
  else
    outermost[POMP_OPEN] = t->stack->record->depth;
}

static inline bool pomp_user_ends(struct pomp_frame *f) {
  if (f->flags & POMP_FRAME_INNER)
    return false;
  uint64_t *slot = (uint64_t *)(uintptr_t)f->slot;
  ((uint64_t *)(uintptr_t)slot[POMP_OUTERMOST])[POMP_OPEN] = f->since;
  return true;
}

#endif
