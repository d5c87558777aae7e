/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The short way of an event that is measured. */
#ifndef POMP_FAST_PATH_H
#define POMP_FAST_PATH_H

#include "export.h"
#include "location/thread.h"
#include "trace/trace_format.h"

/* Inlined at every optimization level. */
#define POMP_SHORT static inline __attribute__((always_inline))

/* Any phase of the frame. */
#define POMP_ANY_PHASE 255

/* The effect of an event's short way, as a trace has it.  If `done` is false nothing was done, and
 * the event takes the long way. */
struct pomp_booked {
  bool done;
  uint8_t op; /* enum pomp_trace_op; NONE: the OpenMP runtime reported the event before */
  uint32_t path;
  uint64_t now;
};

#define POMP_NOT_BOOKED ((struct pomp_booked){.done = false})

POMP_SHORT uint32_t pomp_state_of(enum pomp_frame_kind kind, unsigned phase, unsigned flags) {
  struct pomp_frame f = {.kind = (uint8_t)kind, .phase = (uint8_t)phase, .flags = (uint16_t)flags};
  return f.kind_phase_flags;
}

POMP_SHORT uint32_t pomp_fast_region(OMPRegDescr *d) {
  return d ? (uint32_t)(uintptr_t)__atomic_load_n(&d->data, __ATOMIC_RELAXED) : 0;
}

POMP_SHORT struct pomp_frame *pomp_fast_top(struct pomp_thread *t) {
  struct pomp_stack_record *r = t->stack->record;
  return r->depth ? &r->frames[r->depth - 1] : NULL;
}

POMP_SHORT uint64_t pomp_fast_stamp(struct pomp_thread *t) {
  return t->location->last = pomp_clock_counter();
}

POMP_SHORT struct pomp_frame *pomp_fast_push(struct pomp_stack_record *r, uint32_t state,
                                             uint64_t *slot) {
  struct pomp_frame *f = &r->frames[r->depth++];
  atomic_signal_fence(memory_order_seq_cst);
  f->kind_phase_flags = state;
  f->slot = (uintptr_t)slot;
  f->path = (uint32_t)slot[POMP_SELF];
  return f;
}

POMP_SHORT void pomp_fast_pop(struct pomp_stack_record *r, struct pomp_frame *f) {
  f->region = 0;
  atomic_signal_fence(memory_order_seq_cst);
  r->depth--;
}

POMP_SHORT bool pomp_fast_is(const struct pomp_frame *f, OMPRegDescr *d, enum pomp_frame_kind kind,
                             unsigned phase) {
  uint32_t state = pomp_state_of(kind, phase == POMP_ANY_PHASE ? f->phase : phase, 0);
  return f->region == pomp_fast_region(d) && f->kind_phase_flags == state;
}

/* The first event of a visit. */
POMP_SHORT struct pomp_booked pomp_fast_enter(struct pomp_thread *t, OMPRegDescr *d,
                                              enum pomp_frame_kind kind, unsigned phase) {
  uint32_t region = pomp_fast_region(d);
  struct pomp_stack_record *r = t->stack->record;
  struct pomp_frame *top = pomp_fast_top(t);
  uint64_t *above = top ? (uint64_t *)(uintptr_t)top->slot : t->nowhere;
  uint64_t *row = pomp_expected_below(above, region);
  if (__builtin_expect(!row || r->depth == r->capacity, 0))
    return POMP_NOT_BOOKED;
  if (kind == POMP_FRAME_USER) {
    uint64_t *outermost = (uint64_t *)(uintptr_t)row[POMP_OUTERMOST];
    if (__builtin_expect(!outermost || outermost[POMP_OPEN], 0))
      return POMP_NOT_BOOKED;
    outermost[POMP_OPEN] = r->depth + 1;
  }
  row[POMP_EXEC_C]++;
  struct pomp_frame *f = pomp_fast_push(r, pomp_state_of(kind, phase, 0), row);
  uint32_t path = f->path;
  uint64_t now = pomp_fast_stamp(t);
  f->start = now;
  if (phase || kind == POMP_FRAME_USER)
    f->since = phase ? now : 0;
  atomic_signal_fence(memory_order_seq_cst);
  f->region = region;
  return (struct pomp_booked){true, POMP_TRACE_ENTERS(kind, phase), path, now};
}

/* The same for what may be part of a combined construct, whose frame has the same region. */
POMP_SHORT struct pomp_booked pomp_fast_enter_part(struct pomp_thread *t, OMPRegDescr *d,
                                                   enum pomp_frame_kind kind, unsigned phase) {
  struct pomp_frame *top = pomp_fast_top(t);
  if (top && top->region == pomp_fast_region(d))
    return POMP_NOT_BOOKED;
  return pomp_fast_enter(t, d, kind, phase);
}

/* The frame of a parallel region, which also serves for the construct that it is combined with. */
POMP_SHORT bool pomp_fast_is_combined(const struct pomp_frame *f, OMPRegDescr *d) {
  return f->region == pomp_fast_region(d) && f->kind == POMP_FRAME_PARALLEL &&
         !(f->flags & ~POMP_FRAME_MASTER);
}

/* One store of the word: reading it as a whole after a store to a part of it would stall. */
POMP_SHORT void pomp_fast_set_phase(struct pomp_frame *f, unsigned phase, uint64_t now) {
  f->kind_phase_flags = pomp_state_of(f->kind, phase, f->flags);
  f->since = now;
}

/* The first event of a worksharing construct, which may be combined with its parallel region. */
POMP_SHORT struct pomp_booked pomp_fast_enter_work(struct pomp_thread *t, OMPRegDescr *d,
                                                   unsigned phase) {
  struct pomp_frame *top = pomp_fast_top(t);
  if (!top || top->region != pomp_fast_region(d))
    return pomp_fast_enter(t, d, POMP_FRAME_WORK, phase);
  if (!pomp_fast_is_combined(top, d))
    return POMP_NOT_BOOKED;
  uint64_t now = pomp_fast_stamp(t);
  pomp_fast_set_phase(top, phase, now);
  return (struct pomp_booked){true, (uint8_t)(POMP_TRACE_PHASE_AGAIN | phase), top->path, now};
}

/* An event within a visit: another phase begins, and something is counted if that is not 0. */
POMP_SHORT struct pomp_booked pomp_fast_step(struct pomp_thread *t, OMPRegDescr *d,
                                             enum pomp_frame_kind kind, unsigned from,
                                             unsigned phase, unsigned counted) {
  struct pomp_frame *f = pomp_fast_top(t);
  if (__builtin_expect(!f || !pomp_fast_is(f, d, kind, from), 0))
    return POMP_NOT_BOOKED;
  uint64_t *slot = (uint64_t *)(uintptr_t)f->slot;
  uint64_t now = pomp_fast_stamp(t);
  if (from && f->phase)
    slot[f->phase] += pomp_elapsed(f->since, now);
  if (counted)
    slot[counted]++;
  /* One store of the word: reading it as a whole after a store to a part of it would stall. */
  f->kind_phase_flags = pomp_state_of(kind, phase, 0);
  f->since = now;
  unsigned op = (counted ? POMP_TRACE_COUNTED : POMP_TRACE_PHASE) | phase;
  return (struct pomp_booked){true, (uint8_t)op, f->path, now};
}

/* The block of a critical begins, unless the OpenMP runtime reported that before. */
POMP_SHORT struct pomp_booked pomp_fast_begin_held(struct pomp_thread *t, OMPRegDescr *d) {
  struct pomp_booked b = pomp_fast_step(t, d, POMP_FRAME_SYNC, POMP_ENTER_T, POMP_BODY_T, 0);
  struct pomp_frame *f = pomp_fast_top(t);
  if (!b.done)
    b.done = f && pomp_fast_is(f, d, POMP_FRAME_SYNC, POMP_BODY_T);
  return b;
}

/* The last event of a visit. */
POMP_SHORT struct pomp_booked pomp_fast_leave(struct pomp_thread *t, OMPRegDescr *d,
                                              enum pomp_frame_kind kind, unsigned phase) {
  struct pomp_frame *f = pomp_fast_top(t);
  if (__builtin_expect(!f || !pomp_fast_is(f, d, kind, phase), 0))
    return POMP_NOT_BOOKED;
  uint64_t *slot = (uint64_t *)(uintptr_t)f->slot;
  uint32_t path = f->path;
  uint64_t now = pomp_fast_stamp(t);
  if (phase && f->phase)
    slot[f->phase] += pomp_elapsed(f->since, now);
  slot[POMP_EXEC_T] += pomp_elapsed(f->start, now);
  if (kind == POMP_FRAME_USER)
    ((uint64_t *)(uintptr_t)slot[POMP_OUTERMOST])[POMP_OPEN] = f->since;
  pomp_fast_pop(t->stack->record, f);
  return (struct pomp_booked){true, POMP_TRACE_LEAVE, path, now};
}

/* The last event of a worksharing construct, which may be combined with its parallel region. */
POMP_SHORT struct pomp_booked pomp_fast_leave_work(struct pomp_thread *t, OMPRegDescr *d,
                                                   unsigned phase) {
  struct pomp_frame *f = pomp_fast_top(t);
  if (!f || f->kind != POMP_FRAME_PARALLEL)
    return pomp_fast_leave(t, d, POMP_FRAME_WORK, phase);
  if (!pomp_fast_is_combined(f, d) || (phase != POMP_ANY_PHASE && f->phase != phase) ||
      __builtin_expect(pomp_shares_row(t), 0))
    return POMP_NOT_BOOKED;
  uint64_t now = pomp_fast_stamp(t);
  if (f->phase)
    ((uint64_t *)(uintptr_t)f->slot)[f->phase] += pomp_elapsed(f->since, now);
  pomp_fast_set_phase(f, 0, now);
  return (struct pomp_booked){true, POMP_TRACE_PHASE, f->path, now};
}

/* The barrier is that of the construct at the top, or a directive directly in the region.  With
 * other frames in between it may be either, and takes the long way. */
POMP_SHORT struct pomp_booked pomp_fast_enter_barrier(struct pomp_thread *t, OMPRegDescr *d) {
  struct pomp_frame *top = pomp_fast_top(t);
  if (top && top->region == pomp_fast_region(d))
    return pomp_fast_step(t, d, POMP_FRAME_WORK, POMP_ANY_PHASE, POMP_EXIT_BAR_T, 0);
  if (top && top->kind == POMP_FRAME_PARALLEL)
    return pomp_fast_enter(t, d, POMP_FRAME_BARRIER, 0);
  return POMP_NOT_BOOKED;
}

POMP_SHORT struct pomp_booked pomp_fast_leave_barrier(struct pomp_thread *t, OMPRegDescr *d) {
  if (t->stack->base)
    return POMP_NOT_BOOKED;
  struct pomp_booked b = pomp_fast_leave(t, d, POMP_FRAME_BARRIER, 0);
  return b.done ? b : pomp_fast_step(t, d, POMP_FRAME_WORK, POMP_EXIT_BAR_T, 0, 0);
}

#endif
