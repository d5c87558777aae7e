/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tasks/suspend.h"

#include "tasks/left_team.h"
#include "tasks/untied.h"

enum {
  AT_REGIONS_END = 1u << POMP_EXIT_BAR_T | 1u << POMP_SHUTDWN_T,
  IN_REGIONS_TASKLOOP = 1u << POMP_CREATE_T | 1u << POMP_ENTER_T
};

/* True if a thread takes up other tasks at the construct at the top, in its present phase.  Only
 * there the tasks' time is booked apart. */
static bool is_scheduling_point(const struct pomp_frame *f) {
  switch (f->kind) {
  case POMP_FRAME_BARRIER:
  case POMP_FRAME_CREATE:
    return true;
  case POMP_FRAME_WAIT:
    return f->phase != POMP_BODY_T;
  case POMP_FRAME_WORK:
    return f->phase == 0 || f->phase == POMP_EXIT_BAR_T;
  case POMP_FRAME_PARALLEL:
    return (AT_REGIONS_END | IN_REGIONS_TASKLOOP) >> f->phase & 1;
  default:
    return false;
  }
}

static bool is_explicit(const struct pomp_stack_record *r, uint64_t base, uint32_t depth) {
  if (!base)
    return false;
  for (uint32_t i = depth; i-- > base;)
    if (r->frames[i].kind == POMP_FRAME_PARALLEL || r->frames[i].kind == POMP_FRAME_FORK)
      return false;
  return true;
}

bool pomp_is_in_explicit_task(const struct pomp_stack *stack) {
  return is_explicit(stack->record, stack->base, stack->record->depth);
}

void pomp_suspend_beneath(struct pomp_thread *t, struct pomp_frame *task, uint64_t now) {
  struct pomp_stack_record *r = t->stack->record;
  struct pomp_frame *f = task - 1;
  if (task == r->frames) {
    if (pomp_has_left_team(t))
      pomp_team_exit_task_begins(t, now);
    return;
  }
  if (is_explicit(r, task->below, r->depth - 1))
    task->flags |= POMP_FRAME_SUSPENDS;
  if (is_scheduling_point(f)) {
    task->flags |= POMP_FRAME_SWITCHED;
    pomp_keep_phase(task, f->phase);
    pomp_phase(t, f, f->kind == POMP_FRAME_CREATE ? 0 : POMP_TASK_T, now);
  }
}

/* The frame's own time stands still. */
static void shift(struct pomp_frame *f, uint64_t ticks) {
  f->start += ticks;
  if (f->phase)
    f->since += ticks;
}

static void pass_on_later(struct pomp_frame *f, uint64_t ticks) {
  if (f->kind == POMP_FRAME_TASK || f->kind == POMP_FRAME_PARALLEL || f->kind == POMP_FRAME_FORK)
    return;
  f->away = f->flags & POMP_FRAME_AWAY ? f->away + ticks : ticks;
  f->flags |= POMP_FRAME_AWAY;
}

/* Ends the time that the frame beneath stood still for a task.  Tasks that waits inside this task
 * let run are time of those waits, not of this one.  Only a barrier has them all, as no explicit
 * task waits at it. */
static void resume_beneath(struct pomp_thread *t, struct pomp_frame *task, uint64_t now) {
  struct pomp_frame *f = task - 1;
  uint64_t ticks = pomp_elapsed(task->since, now);
  bool suspends = task->flags & POMP_FRAME_SUSPENDS;
  if (!(task->flags & POMP_FRAME_SWITCHED)) {
    shift(f, suspends ? ticks : 0);
  } else {
    shift(f, suspends || f->kind == POMP_FRAME_WAIT ? task->start - task->since : 0);
    pomp_phase(t, f, pomp_kept_phase(task), now);
  }
  if (suspends)
    pass_on_later(f, ticks);
}

void pomp_suspend_closing(struct pomp_thread *t, struct pomp_frame *f, uint64_t now) {
  bool is_lowest = f == t->stack->record->frames;
  if (f->kind != POMP_FRAME_TASK) {
    if (!is_lowest) {
      shift(f - 1, f->away);
      pass_on_later(f - 1, f->away);
    }
    return;
  }
  if (f->flags & POMP_FRAME_UNTIED)
    pomp_untied_leaves(t, f);
  t->stack->base = (uint32_t)f->below;
  if (!is_lowest)
    resume_beneath(t, f, now);
  else if (pomp_has_left_team(t))
    pomp_team_exit_task_ends(t, pomp_elapsed(f->since, now), now);
}

bool pomp_suspend_holds(const struct pomp_stack *stack, uint64_t frame) {
  const struct pomp_frame *frames = stack->record->frames;
  uint64_t base = stack->base;
  while (base) {
    const struct pomp_frame *above = &frames[base - 1];
    base = above->below;
    if (frame > base)
      return above->flags & POMP_FRAME_SUSPENDS;
  }
  return false;
}
