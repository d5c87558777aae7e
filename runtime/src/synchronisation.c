/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "calibrate.h"
#include "event.h"
#include "task.h"

#define SYNC POMP_KIND(POMP_FRAME_SYNC)
#define SIMPLE POMP_KIND(POMP_FRAME_SIMPLE)
#define IMPLYING (POMP_KIND(POMP_FRAME_WORK) | POMP_KIND(POMP_FRAME_PARALLEL))

/* The construct whose implied barrier this is; NULL for a barrier directive.
 * It cannot lie beneath the innermost parallel region, nor beneath a task. */
static struct pomp_frame *find_implying(struct pomp_thread *t, uint32_t region) {
  struct pomp_frame *bottom = t->stack->record->frames;
  for (struct pomp_frame *f = pomp_top(t); f && f >= bottom; f--) {
    if (pomp_is(f, region, IMPLYING))
      return f;
    if (f->kind == POMP_FRAME_PARALLEL || f->kind == POMP_FRAME_TASK)
      return NULL;
  }
  return NULL;
}

static void enter_barrier(OMPRegDescr *d) {
  struct pomp_thread *t = pomp_arrive();
  uint32_t region = t ? pomp_region(d) : 0;
  if (region && __builtin_expect(t->stack->base != 0, 0)) {
    pomp_task_end_gone(t);
    pomp_task_end_above(t, region, IMPLYING);
  }
  struct pomp_frame *f = region ? find_implying(t, region) : NULL;
  if (!f) {
    pomp_enter(d, POMP_FRAME_BARRIER, 0);
    return;
  }
  uint64_t now = pomp_stamp(t);
  pomp_stack_close_above(t, f, now);
  pomp_phase(t, f, POMP_EXIT_BAR_T, now);
}

/* A parallel region's end comes next. */
static void leave_implied(struct pomp_thread *t, struct pomp_frame *f, uint64_t now) {
  if (f->kind == POMP_FRAME_PARALLEL && f->phase == POMP_EXIT_BAR_T)
    t->waited = pomp_elapsed(f->since, now);
  pomp_phase(t, f, 0, now);
}

static void leave_barrier(OMPRegDescr *d) {
  struct pomp_thread *t = pomp_arrive();
  uint32_t region = t ? pomp_region(d) : 0;
  if (region && __builtin_expect(t->stack->base != 0, 0))
    pomp_task_end_above(t, region, IMPLYING | POMP_KIND(POMP_FRAME_BARRIER));
  struct pomp_frame *f = region ? pomp_top(t) : NULL;
  if (f && pomp_is(f, region, IMPLYING))
    leave_implied(t, f, pomp_stamp(t));
  else if (!f || f->region == region || !find_implying(t, region))
    pomp_leave(d, POMP_KIND(POMP_FRAME_BARRIER));
  else
    pomp_step(d, IMPLYING, 0);
}

void POMP_Barrier_enter(OMPRegDescr *d) {
  if (!pomp_short_Barrier_enter(d))
    enter_barrier(d);
}

void POMP_Barrier_exit(OMPRegDescr *d) {
  if (!pomp_short_Barrier_exit(d))
    leave_barrier(d);
}

void POMP_Critical_enter(OMPRegDescr *d) {
  if (pomp_short_Critical_enter(d))
    return;
  pomp_calibrate_critical(d);
  pomp_enter(d, POMP_FRAME_SYNC, POMP_ENTER_T);
}

void POMP_Critical_begin(OMPRegDescr *d) {
  if (!pomp_short_Critical_begin(d))
    pomp_step(d, SYNC, POMP_BODY_T);
}

void POMP_Critical_end(OMPRegDescr *d) {
  if (!pomp_short_Critical_end(d))
    pomp_step(d, SYNC, POMP_EXIT_T);
}

void POMP_Critical_exit(OMPRegDescr *d) {
  if (!pomp_short_Critical_exit(d))
    pomp_leave(d, SYNC);
}

void POMP_Ordered_enter(OMPRegDescr *d) {
  if (!pomp_short_Ordered_enter(d))
    pomp_enter(d, POMP_FRAME_SYNC, POMP_ENTER_T);
}

void POMP_Ordered_begin(OMPRegDescr *d) {
  if (!pomp_short_Ordered_begin(d))
    pomp_step(d, SYNC, POMP_BODY_T);
}

void POMP_Ordered_end(OMPRegDescr *d) {
  if (!pomp_short_Ordered_end(d))
    pomp_step(d, SYNC, POMP_EXIT_T);
}

void POMP_Ordered_exit(OMPRegDescr *d) {
  if (!pomp_short_Ordered_exit(d))
    pomp_leave(d, SYNC);
}

void POMP_Atomic_enter(OMPRegDescr *d) {
  if (!pomp_short_Atomic_enter(d))
    pomp_enter(d, POMP_FRAME_SIMPLE, 0);
}

void POMP_Atomic_exit(OMPRegDescr *d) {
  if (!pomp_short_Atomic_exit(d))
    pomp_leave(d, SIMPLE);
}

void POMP_Flush_enter(OMPRegDescr *d) {
  if (!pomp_short_Flush_enter(d))
    pomp_enter(d, POMP_FRAME_SIMPLE, 0);
}

void POMP_Flush_exit(OMPRegDescr *d) {
  if (!pomp_short_Flush_exit(d))
    pomp_leave(d, SIMPLE);
}

void POMP_Master_begin(OMPRegDescr *d) {
  if (pomp_short_Master_begin(d))
    return;
  pomp_calibrate_master(d);
  pomp_enter_part(d, POMP_FRAME_SIMPLE);
}

void POMP_Master_end(OMPRegDescr *d) {
  if (!pomp_short_Master_end(d))
    pomp_leave(d, SIMPLE);
}

void POMP_Masked_begin(OMPRegDescr *d) {
  if (pomp_short_Masked_begin(d))
    return;
  pomp_calibrate_master(d);
  pomp_enter_part(d, POMP_FRAME_SIMPLE);
}

void POMP_Masked_end(OMPRegDescr *d) {
  if (!pomp_short_Masked_end(d))
    pomp_leave(d, SIMPLE);
}
