/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Closing of frames: the times that are booked then. */
#ifndef POMP_CLOSE_H
#define POMP_CLOSE_H

#include "tasks/suspend.h"

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

/* Closes the frame at the top, the frames above this one, or all. */
void pomp_close_top(struct pomp_thread *t, uint64_t now);
void pomp_close_above(struct pomp_thread *t, struct pomp_frame *frame, uint64_t now);
void pomp_close_all(struct pomp_thread *t, uint64_t now);

/* The newest open frame of the region; what lies above it is closed.  NULL
 * when there is none. */
static inline struct pomp_frame *pomp_find(struct pomp_thread *t, uint32_t region, unsigned kinds,
                                           uint64_t now) {
  struct pomp_frame *f = pomp_top(t);
  if (__builtin_expect(f && pomp_is(f, region, kinds), 1))
    return f;
  f = f ? pomp_stack_search(t, region, kinds) : NULL;
  if (f)
    pomp_close_above(t, f, now);
  return f;
}

/* The same for the last event of a visit. */
static inline struct pomp_frame *pomp_find_last(struct pomp_thread *t, uint32_t region,
                                                unsigned kinds, uint64_t now) {
  if (__builtin_expect(t->stack->overflow != 0, 0)) {
    pomp_stack_overflow_ends(t, 1);
    return NULL;
  }
  return pomp_find(t, region, kinds, now);
}

#endif
