/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the OpenMP runtime tells of, booked in the frames that the source side has open. */
#include "ompt_events.h"

#include "departure.h"
#include "event.h"
#include "task.h"
#include "team.h"

#define WORK POMP_KIND(POMP_FRAME_WORK)
#define PARALLEL POMP_KIND(POMP_FRAME_PARALLEL)

static struct pomp_thread *here(void) { return pomp_is_running() ? pomp_thread_here() : NULL; }

/* How deep the frames of an implicit task begin: those of a region that is not instrumented
 * are told from those around it. */
static void on_implicit_task(int endpoint, ompt_data_t *parallel, ompt_data_t *task,
                             unsigned team_size, unsigned number, int flags) {
  (void)parallel, (void)team_size, (void)flags;
  struct pomp_thread *t = endpoint == OMPT_SCOPE_BEGIN && number == 0 ? here() : NULL;
  if (t)
    task->value = t->stack->record->depth;
}

/* The worksharing construct in whose barrier the thread is; NULL when it is not measured.
 * What a cancellation left open lies above it. */
static struct pomp_frame *find_work(struct pomp_thread *t, uint64_t lowest) {
  struct pomp_stack_record *r = t->stack->record;
  for (uint64_t i = t->stack->overflow ? 0 : r->depth; i-- > lowest;) {
    if (r->frames[i].kind == POMP_FRAME_WORK)
      return &r->frames[i];
    if (POMP_KIND(r->frames[i].kind) &
        (PARALLEL | POMP_KIND(POMP_FRAME_FORK) | POMP_KIND(POMP_FRAME_TASK)))
      break;
  }
  return NULL;
}

static void enter_barrier_of_work(struct pomp_thread *t, uint64_t lowest) {
  struct pomp_frame *f = find_work(t, lowest);
  if (!f || f->phase == POMP_EXIT_BAR_T)
    return;
  uint64_t now = pomp_stamp(t);
  pomp_stack_close_above(t, f, now);
  f->flags |= (uint16_t)(f->phase << POMP_FRAME_PHASE_SHIFT);
  pomp_phase(f, POMP_EXIT_BAR_T, now);
}

/* Tasks that ran in a barrier, and did not tell their end, have ended with it. */
static void end_tasks_above(struct pomp_thread *t, unsigned kinds) {
  struct pomp_stack_record *r = t->stack->record;
  for (uint32_t i = r->depth; t->stack->base && i-- > 0;) {
    struct pomp_frame *f = &r->frames[i];
    if (POMP_KIND(f->kind) & kinds && f->phase == POMP_TASK_T)
      pomp_task_end_above(t, f->region, kinds);
    if (POMP_KIND(f->kind) & (kinds | PARALLEL))
      return;
  }
}

/* A barrier at the beginning, such as that of lastprivate, leads back into the construct. */
static void leave_barrier_of_work(struct pomp_thread *t) {
  end_tasks_above(t, WORK);
  struct pomp_frame *f = pomp_top(t);
  if (!f || f->kind != POMP_FRAME_WORK || f->phase != POMP_EXIT_BAR_T)
    return;
  pomp_phase(f, f->flags >> POMP_FRAME_PHASE_SHIFT, pomp_stamp(t));
  f->flags &= (1u << POMP_FRAME_PHASE_SHIFT) - 1;
}

/* The master's frame of a region whose body it has left. */
static struct pomp_frame *ending_region(struct pomp_thread *t, unsigned phase) {
  struct pomp_frame *f = pomp_top(t);
  if (!f || f->kind != POMP_FRAME_PARALLEL || f->phase != phase || !(f->flags & POMP_FRAME_MASTER))
    return NULL;
  return ((struct pomp_team *)(uintptr_t)f->team)->told ? f : NULL;
}

static void enter_barrier_of_region(struct pomp_thread *t) {
  struct pomp_frame *f = ending_region(t, POMP_SHUTDWN_T);
  if (f)
    pomp_phase(f, POMP_EXIT_BAR_T, pomp_stamp(t));
  else if (!t->stack->record->depth)
    pomp_departed_waits(t);
}

/* All have come when the master leaves it.  To the others that is told no sooner than when
 * their next region begins. */
static void leave_barrier_of_region(struct pomp_thread *t) {
  end_tasks_above(t, PARALLEL);
  struct pomp_frame *f = ending_region(t, POMP_EXIT_BAR_T);
  if (!f)
    return;
  uint64_t now = pomp_stamp(t);
  pomp_phase(f, POMP_SHUTDWN_T, now);
  ((struct pomp_team *)(uintptr_t)f->team)->assembled = now;
}

static void on_sync_region(int kind, int endpoint, ompt_data_t *parallel, ompt_data_t *task,
                           const void *caller) {
  (void)parallel, (void)caller;
  bool of_work = kind == OMPT_BARRIER_IMPLICIT_WORKSHARE || kind == OMPT_BARRIER_IMPLEMENTATION;
  bool entered = endpoint == OMPT_SCOPE_BEGIN;
  struct pomp_thread *t = of_work || kind == OMPT_BARRIER_IMPLICIT_PARALLEL ? here() : NULL;
  if (!t)
    return;
  if (!of_work)
    (entered ? enter_barrier_of_region : leave_barrier_of_region)(t);
  else if (entered)
    enter_barrier_of_work(t, task ? task->value : 0);
  else
    leave_barrier_of_work(t);
}

/* A lock is held from here on; the call returns later. */
static void on_mutex_acquired(int kind, uint64_t wait_id, const void *caller) {
  (void)wait_id, (void)caller;
  if (kind < OMPT_MUTEX_LOCK || kind > OMPT_MUTEX_TEST_NEST_LOCK)
    return;
  struct pomp_thread *t = here();
  struct pomp_frame *f = t ? pomp_top(t) : NULL;
  if (f && f->kind == POMP_FRAME_SYNC && f->phase == POMP_ENTER_T)
    pomp_phase(f, 0, pomp_stamp(t));
}

/* A task that is cancelled does not tell its end. */
static void on_cancel(ompt_data_t *task, int flags, const void *caller) {
  (void)task, (void)flags, (void)caller;
  struct pomp_thread *t = here();
  if (!t || !t->stack->base)
    return;
  pomp_stamp(t);
  pomp_task_end_lost(t);
}

bool pomp_ompt_set_callbacks(ompt_set_callback_t set) {
  set(OMPT_MUTEX_ACQUIRED, (ompt_interface_fn_t)on_mutex_acquired);
  set(OMPT_CANCEL, (ompt_interface_fn_t)on_cancel);
  return set(OMPT_IMPLICIT_TASK, (ompt_interface_fn_t)on_implicit_task) == OMPT_SET_ALWAYS &&
         set(OMPT_SYNC_REGION, (ompt_interface_fn_t)on_sync_region) == OMPT_SET_ALWAYS;
}
