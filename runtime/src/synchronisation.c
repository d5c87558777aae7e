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

POMP_EVENT(Barrier_enter) { enter_barrier(d); }

POMP_EVENT(Barrier_exit) { leave_barrier(d); }

POMP_EVENT(Critical_enter) {
  pomp_calibrate_critical(d);
  pomp_enter(d, POMP_FRAME_SYNC, POMP_ENTER_T);
}

POMP_EVENT(Critical_begin) { pomp_step(d, SYNC, POMP_BODY_T); }

POMP_EVENT(Critical_end) { pomp_step(d, SYNC, POMP_EXIT_T); }

POMP_EVENT(Critical_exit) { pomp_leave(d, SYNC); }

POMP_EVENT(Ordered_enter) { pomp_enter(d, POMP_FRAME_SYNC, POMP_ENTER_T); }

POMP_EVENT(Ordered_begin) { pomp_step(d, SYNC, POMP_BODY_T); }

POMP_EVENT(Ordered_end) { pomp_step(d, SYNC, POMP_EXIT_T); }

POMP_EVENT(Ordered_exit) { pomp_leave(d, SYNC); }

POMP_EVENT(Atomic_enter) { pomp_enter(d, POMP_FRAME_SIMPLE, 0); }

POMP_EVENT(Atomic_exit) { pomp_leave(d, SIMPLE); }

POMP_EVENT(Flush_enter) { pomp_enter(d, POMP_FRAME_SIMPLE, 0); }

POMP_EVENT(Flush_exit) { pomp_leave(d, SIMPLE); }

POMP_EVENT(Master_begin) {
  pomp_calibrate_master(d);
  pomp_enter_part(d, POMP_FRAME_SIMPLE);
}

POMP_EVENT(Master_end) { pomp_leave(d, SIMPLE); }

POMP_EVENT(Masked_begin) {
  pomp_calibrate_master(d);
  pomp_enter_part(d, POMP_FRAME_SIMPLE);
}

POMP_EVENT(Masked_end) { pomp_leave(d, SIMPLE); }
