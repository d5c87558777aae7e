/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "events/taskloop.h"

#include "events/event.h"
#include "events/task_events.h"
#include "tasks/task.h"

/* True before the call that makes the construct's tasks.  A taskloop within another task that is
 * not instrumented may run later, while this one waits. */
static bool is_fresh(const struct pomp_frame *f) {
  return (f->kind == POMP_FRAME_WAIT && !f->phase) ||
         (f->kind == POMP_FRAME_PARALLEL && f->phase == POMP_BODY_T);
}

struct pomp_taskloop pomp_taskloop_here(void) {
  struct pomp_taskloop loop = {0, 0};
  struct pomp_thread *t = pomp_is_running() && pomp_current_thread() ? pomp_arrive() : NULL;
  struct pomp_frame *f = t ? pomp_top(t) : NULL;
  if (f && f->region && is_fresh(f) && pomp_region_is_taskloop(f->region))
    loop = (struct pomp_taskloop){f->region, f->path};
  return loop;
}

/* In a combined construct's region exitBarT is the barrier at its end. */
static void change_phase(struct pomp_taskloop loop, unsigned phase) {
  struct pomp_thread *t = loop.region && pomp_is_running() ? pomp_current_thread() : NULL;
  struct pomp_frame *f = t ? pomp_top(t) : NULL;
  if (!f || !pomp_is(f, loop.region, POMP_KIND(POMP_FRAME_WAIT) | POMP_KIND(POMP_FRAME_PARALLEL)))
    return;
  if (f->kind == POMP_FRAME_PARALLEL && phase == POMP_EXIT_BAR_T)
    phase = POMP_ENTER_T;
  pomp_phase(t, f, phase, pomp_stamp(t));
}

void pomp_taskloop_calls(struct pomp_taskloop loop, bool waits) {
  change_phase(loop, waits ? POMP_EXIT_BAR_T : POMP_CREATE_T);
}

void pomp_taskloop_made(struct pomp_taskloop loop) { change_phase(loop, POMP_EXIT_BAR_T); }

struct pomp_loop_task pomp_loop_task_begins(struct pomp_taskloop loop, bool is_first) {
  struct pomp_loop_task task = {0, POMP_LOOP_UNTOLD};
  struct pomp_thread *t = loop.region ? pomp_arrive() : NULL;
  if (!t)
    return task;
  t->creation = loop.path;
  struct pomp_frame *f = pomp_task_begin(t, loop.region, is_first);
  if (!f)
    return (struct pomp_loop_task){0, POMP_LOOP_FRAMELESS};
  pomp_trace_frame(t, f, pomp_trace_enter_op(f, is_first ? 0 : POMP_TRACE_RESUMES), f->since);
  return (struct pomp_loop_task){f->below, POMP_LOOP_OPEN};
}

/* Tasks above it that did not tell their end have ended, too. */
void pomp_loop_task_ends(struct pomp_loop_task task) {
  struct pomp_thread *t = task.state != POMP_LOOP_UNTOLD ? pomp_arrive() : NULL;
  if (!t)
    return;
  pomp_stamp(t);
  if (task.state == POMP_LOOP_FRAMELESS)
    pomp_stack_overflow_ends(t, 1);
  else
    pomp_task_end_to(t, task.below);
}
