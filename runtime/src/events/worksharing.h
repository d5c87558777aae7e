/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The long way of events of worksharing constructs: loops, sections, single, scope. */
#ifndef POMP_WORKSHARING_H
#define POMP_WORKSHARING_H

#include "events/event.h"
#include "tasks/task.h"

#define WORK_KINDS (POMP_KIND(POMP_FRAME_WORK) | POMP_KIND(POMP_FRAME_PARALLEL))

/* A combined construct has one descriptor for the parallel region and its loop
 * or sections: the parallel region's frame serves for both. */
static inline void enter_work(OMPRegDescr *d, unsigned phase) {
  struct pomp_thread *t = pomp_arrive();
  uint32_t region = t ? pomp_region(d) : 0;
  if (!region)
    return;
  struct pomp_frame *f = pomp_top(t);
  if (!f || !pomp_is(f, region, POMP_KIND(POMP_FRAME_PARALLEL))) {
    pomp_enter_region(t, region, POMP_FRAME_WORK, phase);
    return;
  }
  if (f->flags & POMP_FRAME_TOLD)
    f->flags |= POMP_FRAME_WORKS;
  f->phase = (uint8_t)phase;
  f->since = pomp_stamp(t);
  pomp_trace_frame(t, f, POMP_TRACE_PHASE_AGAIN | phase, f->since);
}

static inline void exit_work(OMPRegDescr *d) {
  struct pomp_thread *t = pomp_arrive();
  uint32_t region = t ? pomp_region(d) : 0;
  if (!region)
    return;
  uint64_t now = pomp_stamp(t);
  struct pomp_frame *f = pomp_find_last(t, region, WORK_KINDS | POMP_ACROSS_TASKS, now);
  if (f && f->kind == POMP_FRAME_PARALLEL) {
    f->flags &= (uint16_t)~POMP_FRAME_WORKS;
    pomp_phase(t, f, 0, now);
  } else if (f) {
    pomp_close(t, f, now);
  }
}

static inline void begin_body(OMPRegDescr *d) {
  struct pomp_thread *t = pomp_arrive();
  if (t && __builtin_expect(t->stack->base != 0, 0))
    pomp_task_end_gone(t);
  struct pomp_frame *f = pomp_step(d, WORK_KINDS, POMP_BODY_T);
  if (!f || pomp_is_muted())
    return;
  pomp_count(f, POMP_BODY_C);
  pomp_trace_frame(t, f, POMP_TRACE_COUNT_BODY, f->since);
}

#endif
