/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a frame has to be booked for when it is taken off. */
#ifndef POMP_CLOSE_H
#define POMP_CLOSE_H

#include "suspend.h"

/* Any frame's; the ordinary ones have a shorter way. */
void pomp_close_special(struct pomp_thread *t, struct pomp_frame *f, uint64_t now);

static inline void pomp_close_ordinary(struct pomp_frame *f, uint64_t now) {
  uint64_t *slot = (uint64_t *)(uintptr_t)f->slot;
  if (f->phase)
    slot[f->phase] += pomp_elapsed(f->since, now);
  uint64_t took = pomp_elapsed(f->start, now);
  slot[POMP_EXEC_T] += took;
  if (f->kind == POMP_FRAME_USER && !pomp_user_ends(f))
    slot[POMP_INNER_T] += took;
}

#define POMP_ORDINARY                                                                              \
  (POMP_KIND(POMP_FRAME_SIMPLE) | POMP_KIND(POMP_FRAME_USER) | POMP_KIND(POMP_FRAME_WORK) |        \
   POMP_KIND(POMP_FRAME_SYNC) | POMP_KIND(POMP_FRAME_BARRIER) | POMP_KIND(POMP_FRAME_WAIT))

/* Takes off the frame at the top. */
static inline void pomp_close(struct pomp_thread *t, struct pomp_frame *f, uint64_t now) {
  pomp_trace_frame(t, f, POMP_TRACE_LEAVE, now);
  if (__builtin_expect(POMP_KIND(f->kind) & POMP_ORDINARY && !(f->flags & POMP_FRAME_AWAY), 1))
    pomp_close_ordinary(f, now);
  else
    pomp_close_special(t, f, now);
  f->region = 0;
  atomic_signal_fence(memory_order_seq_cst);
  t->stack->record->depth--;
}

#endif
