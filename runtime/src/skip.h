/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The short way of an event that does not count, between POMP_Off and POMP_On.
 *
 * What was entered is kept, so that its end is told from that of a visit which counts; a frame
 * is made of it only when one is looked for. */
#ifndef POMP_SKIP_H
#define POMP_SKIP_H

#include "hot.h"

POMP_SHORT bool pomp_skip_enter(struct pomp_thread *t, OMPRegDescr *d, enum pomp_frame_kind kind,
                                unsigned phase) {
  uint32_t region = pomp_hot_region(d), n = t->skipped;
  if (__builtin_expect(!region, 0) || __builtin_expect(n == POMP_MOST_SKIPS, 0))
    return false;
  t->skipped = n + 1;
  atomic_signal_fence(memory_order_seq_cst);
  t->skips[n] = (struct pomp_skip){region, pomp_state_of(kind, phase, POMP_FRAME_MUTED)};
  return true;
}

POMP_SHORT bool pomp_skip_enter_part(struct pomp_thread *t, OMPRegDescr *d,
                                     enum pomp_frame_kind kind, unsigned phase) {
  struct pomp_frame *top = pomp_hot_top(t);
  uint32_t above = t->skipped ? t->skips[t->skipped - 1].region : top ? top->region : 0;
  return above != pomp_hot_region(d) && pomp_skip_enter(t, d, kind, phase);
}

/* The newest of them, if it is this one. */
POMP_SHORT struct pomp_skip *pomp_skip_newest(struct pomp_thread *t, OMPRegDescr *d,
                                              enum pomp_frame_kind kind, unsigned phase) {
  struct pomp_skip *s = &t->skips[t->skipped - 1];
  if (__builtin_expect(!t->skipped, 0) || __builtin_expect(s->region != pomp_hot_region(d), 0))
    return NULL;
  return s->kind_phase_flags == pomp_state_of(kind, phase, POMP_FRAME_MUTED) ? s : NULL;
}

POMP_SHORT bool pomp_skip_step(struct pomp_thread *t, OMPRegDescr *d, enum pomp_frame_kind kind,
                               unsigned from, unsigned phase, unsigned counted) {
  struct pomp_skip *s = pomp_skip_newest(t, d, kind, from);
  (void)counted;
  if (s)
    s->kind_phase_flags = pomp_state_of(kind, phase, POMP_FRAME_MUTED);
  return s;
}

POMP_SHORT bool pomp_skip_begin_held(struct pomp_thread *t, OMPRegDescr *d) {
  return pomp_skip_step(t, d, POMP_FRAME_SYNC, POMP_ENTER_T, POMP_BODY_T, 0);
}

POMP_SHORT bool pomp_skip_leave(struct pomp_thread *t, OMPRegDescr *d, enum pomp_frame_kind kind,
                                unsigned phase) {
  struct pomp_skip *s = pomp_skip_newest(t, d, kind, phase);
  if (s)
    t->skipped--;
  return s;
}

POMP_SHORT bool pomp_skip_enter_barrier(struct pomp_thread *t, OMPRegDescr *d) {
  (void)t, (void)d;
  return false;
}

POMP_SHORT bool pomp_skip_leave_barrier(struct pomp_thread *t, OMPRegDescr *d) {
  return pomp_skip_enter_barrier(t, d);
}

#endif
