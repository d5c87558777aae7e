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
#include "tasks/left_team.h"

/* By kind: the phases in which a thread takes up other tasks at a construct.  Only there the tasks'
 * time is booked apart. */
static const uint16_t pomp_scheduling_points[] = {
    [POMP_FRAME_WORK] = 1u << 0 | 1u << POMP_EXIT_BAR_T,
    [POMP_FRAME_BARRIER] = UINT16_MAX,
    [POMP_FRAME_PARALLEL] = 1u << POMP_EXIT_BAR_T | 1u << POMP_SHUTDWN_T /* the region's end */
                            | 1u << POMP_CREATE_T | 1u << POMP_ENTER_T,  /* its taskloop */
    [POMP_FRAME_WAIT] = (uint16_t)~(1u << POMP_BODY_T),
    [POMP_FRAME_CREATE] = UINT16_MAX,
    [POMP_FRAME_TASK] = 0,
};

/* True if none of the frames above the task's own, up to this depth, is a parallel region. */
static inline bool pomp_is_explicit(const struct pomp_stack_record *r, uint64_t base,
                                    uint32_t depth) {
  if (!base)
    return false;
  for (uint32_t i = depth; i-- > base;)
    if (r->frames[i].kind == POMP_FRAME_PARALLEL || r->frames[i].kind == POMP_FRAME_FORK)
      return false;
  return true;
}

/* True if no PARALLEL frame lies above the newest task's own. */
static inline bool pomp_is_in_explicit_task(const struct pomp_stack *stack) {
  return pomp_is_explicit(stack->record, stack->base, stack->record->depth);
}

/* A task's frame was pushed: what lies beneath it stands still. */
static inline void pomp_suspend_beneath(struct pomp_thread *t, struct pomp_frame *task,
                                        uint64_t now) {
  struct pomp_stack_record *r = t->stack->record;
  struct pomp_frame *f = task - 1;
  if (task == r->frames) {
    if (pomp_has_left_team(t))
      pomp_team_exit_task_begins(t, now);
    else if (pomp_traces)
      pomp_team_exit_trace_known(t, now);
    return;
  }
  if (pomp_is_explicit(r, task->below, r->depth - 1))
    task->flags |= POMP_FRAME_SUSPENDS;
  if (pomp_scheduling_points[f->kind] >> f->phase & 1) {
    task->flags |= POMP_FRAME_SWITCHED;
    pomp_keep_phase(task, f->phase);
    pomp_phase(t, f, f->kind == POMP_FRAME_CREATE ? 0 : POMP_TASK_T, now);
  }
}

/* The frame's own time stands still. */
static inline void pomp_suspend_shift(struct pomp_frame *f, uint64_t ticks) {
  f->start += ticks;
  if (f->phase)
    f->since += ticks;
}

static inline void pomp_suspend_pass_on(struct pomp_frame *f, uint64_t ticks) {
  if (f->kind == POMP_FRAME_TASK || f->kind == POMP_FRAME_PARALLEL || f->kind == POMP_FRAME_FORK)
    return;
  f->away = f->flags & POMP_FRAME_AWAY ? f->away + ticks : ticks;
  f->flags |= POMP_FRAME_AWAY;
}

/* Ends the time that the frame beneath stood still for a task.  Tasks that waits inside this task
 * let run are time of those waits, not of this one.  Only a barrier has them all, as no explicit
 * task waits at it. */
static inline void pomp_suspend_resume(struct pomp_thread *t, struct pomp_frame *task,
                                       uint64_t now) {
  struct pomp_frame *f = task - 1;
  uint64_t ticks = pomp_elapsed(task->since, now);
  bool suspends = task->flags & POMP_FRAME_SUSPENDS;
  if (!(task->flags & POMP_FRAME_SWITCHED)) {
    pomp_suspend_shift(f, suspends ? ticks : 0);
  } else {
    pomp_suspend_shift(f, suspends || f->kind == POMP_FRAME_WAIT ? task->start - task->since : 0);
    pomp_phase(t, f, pomp_kept_phase(task), now);
  }
  if (suspends)
    pomp_suspend_pass_on(f, ticks);
}

/* The frame at the top, of the newest task, is about to be taken off. */
static inline void pomp_suspend_closing_task(struct pomp_thread *t, struct pomp_frame *f,
                                             uint64_t now) {
  t->stack->base = (uint32_t)f->below;
  if (f != t->stack->record->frames)
    pomp_suspend_resume(t, f, now);
  else if (pomp_has_left_team(t))
    pomp_team_exit_task_ends(t, pomp_elapsed(f->since, now), now);
}

/* A frame at the top with ticks to pass on is about to be taken off. */
static inline void pomp_suspend_closing(struct pomp_thread *t, struct pomp_frame *f) {
  if (f == t->stack->record->frames)
    return;
  pomp_suspend_shift(f - 1, f->away);
  pomp_suspend_pass_on(f - 1, f->away);
}

/* True if the frame, counted from 1 and of another task than the newest, stands still now. */
bool pomp_suspend_holds(const struct pomp_stack *stack, uint64_t frame);

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
