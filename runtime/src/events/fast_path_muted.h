/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The short way of an event that does not count, between POMP_Off and POMP_On.
 *
 * Open visits are kept in a list of the thread, to tell their ends from those of visits that count.
 * They get frames only when the long way needs them. */
#ifndef POMP_FAST_PATH_MUTED_H
#define POMP_FAST_PATH_MUTED_H

#include "events/fast_path.h"

POMP_SHORT bool pomp_muted_enter(struct pomp_thread *t, OMPRegDescr *d, enum pomp_frame_kind kind,
                                 unsigned phase) {
  uint32_t region = pomp_fast_region(d), n = t->skipped;
  if (__builtin_expect(!region, 0) || __builtin_expect(n == POMP_MOST_MUTED_VISITS, 0))
    return false;
  t->skipped = n + 1;
  atomic_signal_fence(memory_order_seq_cst);
  t->muted_visits[n] =
      (struct pomp_muted_visit){region, pomp_state_of(kind, phase, POMP_FRAME_MUTED)};
  return true;
}

POMP_SHORT bool pomp_muted_enter_part(struct pomp_thread *t, OMPRegDescr *d,
                                      enum pomp_frame_kind kind, unsigned phase) {
  struct pomp_frame *top = pomp_fast_top(t);
  uint32_t above = t->skipped ? t->muted_visits[t->skipped - 1].region : top ? top->region : 0;
  return above != pomp_fast_region(d) && pomp_muted_enter(t, d, kind, phase);
}

POMP_SHORT bool pomp_muted_enter_work(struct pomp_thread *t, OMPRegDescr *d, unsigned phase) {
  return pomp_muted_enter_part(t, d, POMP_FRAME_WORK, phase);
}

/* The newest of them, if it is this one. */
POMP_SHORT struct pomp_muted_visit *pomp_muted_newest(struct pomp_thread *t, OMPRegDescr *d,
                                                      enum pomp_frame_kind kind, unsigned phase) {
  if (__builtin_expect(!t->skipped, 0))
    return NULL;
  struct pomp_muted_visit *s = &t->muted_visits[t->skipped - 1];
  if (__builtin_expect(s->region != pomp_fast_region(d), 0))
    return NULL;
  return s->kind_phase_flags == pomp_state_of(kind, phase, POMP_FRAME_MUTED) ? s : NULL;
}

POMP_SHORT bool pomp_muted_step(struct pomp_thread *t, OMPRegDescr *d, enum pomp_frame_kind kind,
                                unsigned from, unsigned phase, unsigned counted) {
  struct pomp_muted_visit *s = pomp_muted_newest(t, d, kind, from);
  (void)counted;
  if (s)
    s->kind_phase_flags = pomp_state_of(kind, phase, POMP_FRAME_MUTED);
  return s;
}

POMP_SHORT bool pomp_muted_begin_held(struct pomp_thread *t, OMPRegDescr *d) {
  return pomp_muted_step(t, d, POMP_FRAME_SYNC, POMP_ENTER_T, POMP_BODY_T, 0);
}

POMP_SHORT bool pomp_muted_leave(struct pomp_thread *t, OMPRegDescr *d, enum pomp_frame_kind kind,
                                 unsigned phase) {
  struct pomp_muted_visit *s = pomp_muted_newest(t, d, kind, phase);
  if (s)
    t->skipped--;
  return s;
}

POMP_SHORT bool pomp_muted_leave_work(struct pomp_thread *t, OMPRegDescr *d, unsigned phase) {
  return pomp_muted_leave(t, d, POMP_FRAME_WORK, phase);
}

POMP_SHORT bool pomp_muted_enter_barrier(struct pomp_thread *t, OMPRegDescr *d) {
  (void)t, (void)d;
  return false;
}

POMP_SHORT bool pomp_muted_leave_barrier(struct pomp_thread *t, OMPRegDescr *d) {
  return pomp_muted_enter_barrier(t, d);
}

#endif
