/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The short way of an event that is measured and recorded: what an event has booked is in the
 * frame that it was booked for. */
#ifndef POMP_TRACED_H
#define POMP_TRACED_H

#include "hot.h"
#include "trace.h"

POMP_SHORT bool pomp_traced_enter(struct pomp_thread *t, OMPRegDescr *d, enum pomp_frame_kind kind,
                                  unsigned phase) {
  if (!pomp_hot_enter(t, d, kind, phase))
    return false;
  struct pomp_frame f = {.kind = (uint8_t)kind, .phase = (uint8_t)phase};
  pomp_trace_put(t, pomp_trace_enter_op(&f, 0), pomp_hot_top(t)->path, t->location->last);
  return true;
}

POMP_SHORT bool pomp_traced_enter_part(struct pomp_thread *t, OMPRegDescr *d,
                                       enum pomp_frame_kind kind, unsigned phase) {
  struct pomp_frame *top = pomp_hot_top(t);
  return !(top && top->region == pomp_hot_region(d)) && pomp_traced_enter(t, d, kind, phase);
}

POMP_SHORT bool pomp_traced_step(struct pomp_thread *t, OMPRegDescr *d, enum pomp_frame_kind kind,
                                 unsigned from, unsigned phase, unsigned counted) {
  if (!pomp_hot_step(t, d, kind, from, phase, counted))
    return false;
  pomp_trace_put(t, (counted ? POMP_TRACE_COUNTED : POMP_TRACE_PHASE) | phase,
                 pomp_hot_top(t)->path, t->location->last);
  return true;
}

POMP_SHORT bool pomp_traced_begin_held(struct pomp_thread *t, OMPRegDescr *d) {
  return pomp_traced_step(t, d, POMP_FRAME_SYNC, POMP_ENTER_T, POMP_BODY_T, 0) ||
         pomp_hot_begin_held(t, d);
}

/* The frame that was taken off is still what it was. */
POMP_SHORT bool pomp_traced_leave(struct pomp_thread *t, OMPRegDescr *d, enum pomp_frame_kind kind,
                                  unsigned phase) {
  struct pomp_frame *f = pomp_hot_top(t);
  if (!pomp_hot_leave(t, d, kind, phase))
    return false;
  pomp_trace_put(t, POMP_TRACE_LEAVE, f->path, t->location->last);
  return true;
}

POMP_SHORT bool pomp_traced_enter_barrier(struct pomp_thread *t, OMPRegDescr *d) {
  struct pomp_frame *top = pomp_hot_top(t);
  if (top && top->region == pomp_hot_region(d))
    return pomp_traced_step(t, d, POMP_FRAME_WORK, POMP_ANY_PHASE, POMP_EXIT_BAR_T, 0);
  return top && top->kind == POMP_FRAME_PARALLEL && pomp_traced_enter(t, d, POMP_FRAME_BARRIER, 0);
}

POMP_SHORT bool pomp_traced_leave_barrier(struct pomp_thread *t, OMPRegDescr *d) {
  return !t->stack->base && (pomp_traced_leave(t, d, POMP_FRAME_BARRIER, 0) ||
                             pomp_traced_step(t, d, POMP_FRAME_WORK, POMP_EXIT_BAR_T, 0, 0));
}

#endif
