/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Events that the OpenMP runtime reports, booked in the frames that the source's events have
 * opened. */
#include "ompt/ompt_events.h"

#include "events/event.h"
#include "ompt/target_events.h"
#include "ompt/target_thread.h"
#include "tasks/task.h"
#include "tasks/team.h"
#include "tasks/team_exit.h"

#define WORK POMP_KIND(POMP_FRAME_WORK)
#define PARALLEL POMP_KIND(POMP_FRAME_PARALLEL)

/* On a device that is the host itself the thread that launches a kernel runs it, and its regions,
 * barriers and locks are not the program's.  libomptarget tells of launches only if its loader
 * finds libomp by itself, so the frame of a target construct says the same. */

/* NULL where events are not measured, or are those of a kernel. */
static struct pomp_thread *measured_thread(void) {
  struct pomp_thread *t =
      pomp_is_running() && !pomp_target_is_in_kernel() ? pomp_current_thread() : NULL;
  struct pomp_frame *f = t ? pomp_top(t) : NULL;
  return f && f->flags & POMP_FRAME_KERNEL ? NULL : t;
}

/* Keeps with a region the number of frames that its master has open around it.  This tells the
 * frames of the region from those around it, also if the region is not instrumented and has none.
 * Other members of the team have no frames around it. */
static void on_parallel_begin(ompt_data_t *encountering, const void *frame, ompt_data_t *parallel,
                              unsigned requested, int flags, const void *caller) {
  (void)encountering, (void)frame, (void)requested, (void)flags, (void)caller;
  struct pomp_thread *t = measured_thread();
  if (!t)
    return;
  struct pomp_frame *f = pomp_top(t);
  uint32_t around = t->stack->record->depth - (f && f->kind == POMP_FRAME_FORK);
  parallel->value = (uint64_t)(t->location->id + 1) << 32 | around;
}

static uint32_t lowest_frame(const struct pomp_thread *t, const ompt_data_t *parallel) {
  bool is_master = parallel && parallel->value >> 32 == (uint64_t)t->location->id + 1;
  return is_master ? (uint32_t)parallel->value : 0;
}

/* Tasks that ran in a barrier, and did not tell their end, have ended with it. */
static void end_tasks_above(struct pomp_thread *t, uint32_t lowest) {
  struct pomp_stack_record *r = t->stack->record;
  for (uint32_t i = r->depth; t->stack->base && i-- > lowest;) {
    struct pomp_frame *f = &r->frames[i];
    if (POMP_KIND(f->kind) & (WORK | PARALLEL) && f->phase == POMP_TASK_T)
      pomp_task_end_above(t, f->region, WORK | PARALLEL);
    if (POMP_KIND(f->kind) & (WORK | PARALLEL))
      return;
  }
}

/* Returns the region whose team's last barrier the thread is in.  A cancelled thread comes there
 * with its body open. */
static struct pomp_frame *find_region(struct pomp_thread *t, uint32_t lowest) {
  struct pomp_stack_record *r = t->stack->record;
  for (uint32_t i = t->stack->overflow ? 0 : r->depth; i-- > lowest;) {
    struct pomp_frame *f = &r->frames[i];
    if (f->kind == POMP_FRAME_PARALLEL)
      return f->flags & POMP_FRAME_TOLD && f->team ? f : NULL;
  }
  return NULL;
}

static void enter_barrier_of_region(struct pomp_thread *t, uint32_t lowest) {
  if (!t->stack->record->depth) {
    pomp_team_exit_waits(t);
    return;
  }
  struct pomp_frame *f = find_region(t, lowest);
  if (!f || f->phase == POMP_EXIT_BAR_T)
    return;
  uint64_t now = pomp_stamp(t);
  pomp_close_above(t, f, now);
  if (f->flags & POMP_FRAME_MASTER) {
    pomp_phase(t, f, POMP_EXIT_BAR_T, now);
    return;
  }
  pomp_team_leave(t, f, false, now);
  pomp_team_exit_waits(t);
}

/* All members have arrived when the master leaves the barrier.  The runtime reports it to the
 * others only when their next region begins. */
static void leave_barrier_of_region(struct pomp_thread *t, uint32_t lowest) {
  end_tasks_above(t, lowest);
  struct pomp_frame *f = find_region(t, lowest);
  if (!f || f != pomp_top(t) || f->phase != POMP_EXIT_BAR_T)
    return;
  pomp_team_exits_assembled(t, f, pomp_stamp(t));
}

/* Returns the construct whose work this barrier belongs to: a worksharing construct, or a region
 * combined with one.  NULL if it is not measured.  Frames that a cancellation left open lie above
 * it. */
static struct pomp_frame *find_work(struct pomp_thread *t, uint32_t lowest) {
  struct pomp_stack_record *r = t->stack->record;
  for (uint32_t i = t->stack->overflow ? 0 : r->depth; i-- > lowest;) {
    struct pomp_frame *f = &r->frames[i];
    if (f->kind == POMP_FRAME_WORK || f->flags & POMP_FRAME_WORKS)
      return f;
    if (POMP_KIND(f->kind) & (PARALLEL | POMP_KIND(POMP_FRAME_FORK) | POMP_KIND(POMP_FRAME_TASK)))
      break;
  }
  return NULL;
}

/* A region that is cancelled has a barrier more, from which there is no way but to its end. */
static void enter_barrier_of_work(struct pomp_thread *t, uint32_t lowest) {
  struct pomp_frame *f = find_work(t, lowest), *top = pomp_top(t);
  if (!f && top && top->kind == POMP_FRAME_CANCEL)
    enter_barrier_of_region(t, lowest);
  if (!f || f->phase == POMP_EXIT_BAR_T)
    return;
  uint64_t now = pomp_stamp(t);
  pomp_close_above(t, f, now);
  pomp_keep_phase(f, f->phase);
  pomp_phase(t, f, POMP_EXIT_BAR_T, now);
}

/* After a barrier at the beginning, such as lastprivate's, the construct goes on. */
static void leave_barrier_of_work(struct pomp_thread *t, uint32_t lowest) {
  end_tasks_above(t, lowest);
  struct pomp_frame *f = pomp_top(t);
  if (!f || f->phase != POMP_EXIT_BAR_T || t->stack->record->depth <= lowest ||
      !(f->kind == POMP_FRAME_WORK || f->flags & POMP_FRAME_WORKS))
    return;
  pomp_phase(t, f, pomp_kept_phase(f), pomp_stamp(t));
  pomp_keep_phase(f, 0);
}

/* To the end of a region's barrier the region itself may be gone. */
static void meet_at_end(bool enters, const ompt_data_t *parallel, ompt_data_t *task) {
  struct pomp_thread *t = measured_thread();
  if (!t)
    return;
  if (!enters) {
    leave_barrier_of_region(t, task ? (uint32_t)task->value : 0);
    return;
  }
  uint32_t lowest = lowest_frame(t, parallel);
  if (task)
    task->value = lowest;
  enter_barrier_of_region(t, lowest);
}

static __attribute__((noinline)) void meet(bool enters, const ompt_data_t *parallel) {
  struct pomp_thread *t = measured_thread();
  if (t && enters)
    enter_barrier_of_work(t, lowest_frame(t, parallel));
  else if (t)
    leave_barrier_of_work(t, lowest_frame(t, parallel));
}

/* Changes the phase of a frame for which only its thread books, while the thread measures. */
static inline void change(struct pomp_thread *t, struct pomp_frame *f, unsigned phase) {
  uint64_t now = pomp_fast_stamp(t);
  if (f->phase)
    ((uint64_t *)(uintptr_t)f->slot)[f->phase] += pomp_elapsed(f->since, now);
  f->phase = (uint8_t)phase;
  f->since = now;
}

/* The short way, if the frame at the top is the construct, and the thread is in no task. */
static inline bool meet_at_top(bool enters, const ompt_data_t *parallel) {
  struct pomp_thread *t = pomp_self;
  if (pomp_mode_of(t) != POMP_MEASURES || t->stack->base)
    return false;
  struct pomp_frame *f = pomp_fast_top(t);
  if (!f || f->kind != POMP_FRAME_WORK || (f->phase != POMP_EXIT_BAR_T) != enters ||
      t->stack->record->depth <= lowest_frame(t, parallel))
    return false;
  unsigned left = f->phase;
  change(t, f, enters ? POMP_EXIT_BAR_T : pomp_kept_phase(f));
  pomp_keep_phase(f, enters ? left : 0);
  return true;
}

static void on_sync_region(int kind, int endpoint, ompt_data_t *parallel, ompt_data_t *task,
                           const void *caller) {
  (void)caller;
  bool enters = endpoint == OMPT_SCOPE_BEGIN;
  if (pomp_target_is_in_kernel())
    return;
  if (kind == OMPT_BARRIER_IMPLICIT_PARALLEL)
    meet_at_end(enters, parallel, task);
  else if ((kind == OMPT_BARRIER_IMPLICIT_WORKSHARE || kind == OMPT_BARRIER_IMPLEMENTATION) &&
           !meet_at_top(enters, parallel))
    meet(enters, parallel);
}

static __attribute__((noinline)) void begin_held(unsigned phase) {
  struct pomp_thread *t = measured_thread();
  struct pomp_frame *f = t ? pomp_top(t) : NULL;
  if (f && f->kind == POMP_FRAME_SYNC && f->phase == POMP_ENTER_T)
    pomp_phase(t, f, phase, pomp_stamp(t));
}

/* The wait is over, and the lock held; the call returns later. */
static void on_mutex_acquired(int kind, uint64_t wait_id, const void *caller) {
  (void)wait_id, (void)caller;
  struct pomp_thread *t = pomp_self;
  if (pomp_target_is_in_kernel())
    return;
  bool of_block = kind == OMPT_MUTEX_CRITICAL || kind == OMPT_MUTEX_ORDERED;
  unsigned phase = of_block ? POMP_BODY_T : 0;
  if (pomp_mode_of(t) != POMP_MEASURES) {
    begin_held(phase);
    return;
  }
  struct pomp_frame *f = pomp_fast_top(t);
  if (f && f->kind == POMP_FRAME_SYNC && f->phase == POMP_ENTER_T)
    change(t, f, phase);
}

/* A task that is cancelled does not tell its end. */
static void on_cancel(ompt_data_t *task, int flags, const void *caller) {
  (void)task, (void)flags, (void)caller;
  struct pomp_thread *t = measured_thread();
  if (!t || !t->stack->base)
    return;
  pomp_stamp(t);
  pomp_task_end_lost(t);
}

bool pomp_ompt_set_callbacks(ompt_set_callback_t set) {
  pomp_target_threads_prepare();
  set(OMPT_MUTEX_ACQUIRED, (ompt_interface_fn_t)on_mutex_acquired);
  set(OMPT_CANCEL, (ompt_interface_fn_t)on_cancel);
  set(OMPT_TARGET_SUBMIT_EMI, (ompt_interface_fn_t)pomp_target_on_submit);
  return set(OMPT_PARALLEL_BEGIN, (ompt_interface_fn_t)on_parallel_begin) == OMPT_SET_ALWAYS &&
         set(OMPT_SYNC_REGION, (ompt_interface_fn_t)on_sync_region) == OMPT_SET_ALWAYS;
}
