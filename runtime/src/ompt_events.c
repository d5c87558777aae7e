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

/* How deep the frames of a region's master begin: those of a region that is not instrumented are
 * told from those around it.  The others of its team have none around it. */
static void on_parallel_begin(ompt_data_t *encountering, const void *frame, ompt_data_t *parallel,
                              unsigned requested, int flags, const void *caller) {
  (void)encountering, (void)frame, (void)requested, (void)flags, (void)caller;
  struct pomp_thread *t = here();
  if (t)
    parallel->value = (uint64_t)(t->location->id + 1) << 32 | t->stack->record->depth;
}

static uint32_t lowest_frame(const struct pomp_thread *t, const ompt_data_t *parallel) {
  bool is_master = parallel && parallel->value >> 32 == (uint64_t)t->location->id + 1;
  return is_master ? (uint32_t)parallel->value : 0;
}

/* The worksharing construct in whose barrier the thread is; NULL when it is not measured.
 * What a cancellation left open lies above it. */
static struct pomp_frame *find_work(struct pomp_thread *t, uint32_t lowest) {
  struct pomp_stack_record *r = t->stack->record;
  for (uint32_t i = t->stack->overflow ? 0 : r->depth; i-- > lowest;) {
    if (r->frames[i].kind == POMP_FRAME_WORK)
      return &r->frames[i];
    if (POMP_KIND(r->frames[i].kind) &
        (PARALLEL | POMP_KIND(POMP_FRAME_FORK) | POMP_KIND(POMP_FRAME_TASK)))
      break;
  }
  return NULL;
}

static void keep_phase(struct pomp_frame *f) {
  f->flags |= (uint16_t)(f->phase << POMP_FRAME_PHASE_SHIFT);
}

static unsigned take_phase(struct pomp_frame *f) {
  unsigned phase = f->flags >> POMP_FRAME_PHASE_SHIFT;
  f->flags &= (1u << POMP_FRAME_PHASE_SHIFT) - 1;
  return phase;
}

static void enter_barrier_of_work(struct pomp_thread *t, uint32_t lowest) {
  struct pomp_frame *f = find_work(t, lowest);
  if (!f || f->phase == POMP_EXIT_BAR_T)
    return;
  uint64_t now = pomp_stamp(t);
  pomp_stack_close_above(t, f, now);
  keep_phase(f);
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
static void leave_barrier_of_work(struct pomp_thread *t, uint32_t lowest) {
  end_tasks_above(t, WORK);
  struct pomp_frame *f = pomp_top(t);
  if (f && f->kind == POMP_FRAME_WORK && f->phase == POMP_EXIT_BAR_T &&
      t->stack->record->depth > lowest)
    pomp_phase(f, take_phase(f), pomp_stamp(t));
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

static __attribute__((noinline)) void meet(int kind, bool enters, const ompt_data_t *parallel) {
  struct pomp_thread *t = here();
  if (!t)
    return;
  if (kind == OMPT_BARRIER_IMPLICIT_PARALLEL)
    (enters ? enter_barrier_of_region : leave_barrier_of_region)(t);
  else
    (enters ? enter_barrier_of_work : leave_barrier_of_work)(t, lowest_frame(t, parallel));
}

/* The short way of a worksharing construct's: what is open at the top is that, and no task. */
static inline bool meet_at_top(bool enters, const ompt_data_t *parallel) {
  struct pomp_thread *t = pomp_self;
  if (pomp_mode_of(t) != POMP_MEASURES || t->stack->base)
    return false;
  struct pomp_frame *f = pomp_hot_top(t);
  if (!f || f->kind != POMP_FRAME_WORK || (f->phase != POMP_EXIT_BAR_T) != enters ||
      t->stack->record->depth <= lowest_frame(t, parallel))
    return false;
  uint64_t now = pomp_hot_stamp(t);
  if (f->phase)
    ((uint64_t *)(uintptr_t)f->slot)[f->phase] += pomp_elapsed(f->since, now);
  if (enters)
    keep_phase(f);
  f->phase = enters ? POMP_EXIT_BAR_T : (uint8_t)take_phase(f);
  f->since = now;
  return true;
}

static void on_sync_region(int kind, int endpoint, ompt_data_t *parallel, ompt_data_t *task,
                           const void *caller) {
  (void)task, (void)caller;
  bool enters = endpoint == OMPT_SCOPE_BEGIN;
  if (kind == OMPT_BARRIER_IMPLICIT_WORKSHARE || kind == OMPT_BARRIER_IMPLEMENTATION) {
    if (!meet_at_top(enters, parallel))
      meet(kind, enters, parallel);
  } else if (kind == OMPT_BARRIER_IMPLICIT_PARALLEL) {
    meet(kind, enters, parallel);
  }
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
  return set(OMPT_PARALLEL_BEGIN, (ompt_interface_fn_t)on_parallel_begin) == OMPT_SET_ALWAYS &&
         set(OMPT_SYNC_REGION, (ompt_interface_fn_t)on_sync_region) == OMPT_SET_ALWAYS;
}
