/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The short way of the events of tied tasks and of waits for them.
 *
 * As in events/fast_parallel.h the thread measures, and records if `records` is true; false means
 * that nothing was done. */
#ifndef POMP_FAST_TASK_H
#define POMP_FAST_TASK_H

#include "events/event.h"
#include "tasks/task.h"

/* The thread's newest task, if it is in one, neither moves to other threads nor was canceled. */
POMP_SHORT bool fast_stays(const struct pomp_thread *t) {
  const struct pomp_stack_record *r = t->stack->record;
  uint32_t base = t->stack->base;
  return !base || (!(r->frames[base - 1].flags & POMP_FRAME_UNTIED) &&
                   r->frames[r->depth - 1].kind != POMP_FRAME_CANCEL);
}

POMP_SHORT bool fast_create(struct pomp_thread *t, OMPRegDescr *d, bool records) {
  struct pomp_stack_record *r = t->stack->record;
  if (!fast_stays(t) || r->depth == r->capacity)
    return false;
  uint64_t *row = pomp_expected_below(pomp_here(t), pomp_fast_region(d));
  if (!row)
    return false;
  row[POMP_CREATE_C]++;
  struct pomp_frame *f = pomp_fast_push(r, pomp_state_of(POMP_FRAME_CREATE, POMP_CREATE_T, 0), row);
  uint64_t now = pomp_fast_stamp(t);
  f->start = f->since = now;
  atomic_signal_fence(memory_order_seq_cst);
  f->region = pomp_region_of(row);
  if (records)
    pomp_trace_entered(t, f, now);
  return true;
}

/* The frame at the top, if it is this region's and of this kind. */
POMP_SHORT struct pomp_frame *fast_open(struct pomp_thread *t, OMPRegDescr *d,
                                        enum pomp_frame_kind kind) {
  struct pomp_frame *f = pomp_fast_top(t);
  if (!f || f->region != pomp_fast_region(d) || f->kind != kind || f->flags & ~POMP_FRAME_AWAY)
    return NULL;
  return f;
}

POMP_SHORT void fast_close(struct pomp_thread *t, struct pomp_frame *f, uint64_t now,
                           bool records) {
  if (records)
    pomp_trace_put(t, POMP_TRACE_LEAVE, f->path, now);
  if (f->phase)
    ((uint64_t *)(uintptr_t)f->slot)[f->phase] += pomp_elapsed(f->since, now);
  if (f->flags & POMP_FRAME_AWAY)
    pomp_suspend_closing(t, f);
  pomp_fast_pop(t->stack->record, f);
}

POMP_SHORT bool fast_created(struct pomp_thread *t, OMPRegDescr *d, bool records) {
  struct pomp_frame *f = fast_open(t, d, POMP_FRAME_CREATE);
  if (!f)
    return false;
  fast_close(t, f, pomp_fast_stamp(t), records);
  return true;
}

POMP_SHORT bool fast_wait(struct pomp_thread *t, OMPRegDescr *d, bool records) {
  if (!fast_stays(t))
    return false;
  struct pomp_booked b = pomp_fast_enter(t, d, POMP_FRAME_WAIT, 0);
  if (records && b.done)
    pomp_trace_put(t, b.op, b.path, b.now);
  return b.done;
}

POMP_SHORT bool fast_waited(struct pomp_thread *t, OMPRegDescr *d, bool records) {
  struct pomp_frame *f = fast_open(t, d, POMP_FRAME_WAIT);
  if (!f)
    return false;
  uint64_t now = pomp_fast_stamp(t);
  ((uint64_t *)(uintptr_t)f->slot)[POMP_EXEC_T] += pomp_elapsed(f->start, now);
  fast_close(t, f, now, records);
  return true;
}

POMP_SHORT bool fast_task_begin(struct pomp_thread *t, OMPRegDescr *d, bool records) {
  struct pomp_stack_record *r = t->stack->record;
  uint32_t region = pomp_fast_region(d);
  uint64_t *creation = t->creation ? pomp_row_of(t, t->creation) : NULL;
  uint64_t *row = creation ? (uint64_t *)(uintptr_t)creation[POMP_TASKS] : NULL;
  if (!row || pomp_region_of(row) != (region | POMP_PATH_TASK) || r->depth == r->capacity ||
      pomp_has_flag(d, POMP_UNTIED) || !fast_stays(t))
    return false;
  t->creation = 0;
  row[POMP_EXEC_C]++;
  uint32_t below = t->stack->base;
  struct pomp_frame *f = pomp_fast_push(r, pomp_state_of(POMP_FRAME_TASK, 0, 0), row);
  uint64_t now = pomp_fast_stamp(t);
  f->start = f->since = now;
  f->below = below;
  t->stack->base = r->depth;
  atomic_signal_fence(memory_order_seq_cst);
  f->region = region;
  pomp_suspend_beneath(t, f, now);
  if (records)
    pomp_trace_entered(t, f, now);
  return true;
}

POMP_SHORT bool fast_task_end(struct pomp_thread *t, OMPRegDescr *d, bool records) {
  struct pomp_frame *f = pomp_fast_top(t);
  if (!f || f->region != pomp_fast_region(d) || f->kind != POMP_FRAME_TASK ||
      f->flags & (POMP_FRAME_UNTIED | POMP_FRAME_MUTED))
    return false;
  uint64_t now = pomp_fast_stamp(t);
  ((uint64_t *)(uintptr_t)f->slot)[POMP_EXEC_T] += pomp_elapsed(f->start, now);
  if (records)
    pomp_trace_put(t, POMP_TRACE_LEAVE, f->path, now);
  pomp_suspend_closing_task(t, f, now);
  pomp_fast_pop(t->stack->record, f);
  return true;
}

#endif
