/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The long way of the events of barriers, explicit or implied by a construct. */
#ifndef POMP_BARRIER_H
#define POMP_BARRIER_H

#include "events/event.h"
#include "tasks/task.h"

#define IMPLYING (POMP_KIND(POMP_FRAME_WORK) | POMP_KIND(POMP_FRAME_PARALLEL))

/* The construct whose implied barrier this is; NULL for a barrier directive.
 * It cannot lie beneath the innermost parallel region, nor beneath a task. */
static inline struct pomp_frame *find_implying(struct pomp_thread *t, uint32_t region) {
  struct pomp_frame *bottom = t->stack->record->frames;
  for (struct pomp_frame *f = pomp_top(t); f && f >= bottom; f--) {
    if (pomp_is(f, region, IMPLYING))
      return f;
    if (f->kind == POMP_FRAME_PARALLEL || f->kind == POMP_FRAME_TASK)
      return NULL;
  }
  return NULL;
}

static inline void enter_barrier(OMPRegDescr *d) {
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
  pomp_close_above(t, f, now);
  pomp_phase(t, f, POMP_EXIT_BAR_T, now);
}

/* A parallel region's end comes next. */
static inline void leave_implied(struct pomp_thread *t, struct pomp_frame *f, uint64_t now) {
  if (f->kind == POMP_FRAME_PARALLEL && f->phase == POMP_EXIT_BAR_T)
    t->waited = pomp_elapsed(f->since, now);
  pomp_phase(t, f, 0, now);
}

static inline void leave_barrier(OMPRegDescr *d) {
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

#endif
