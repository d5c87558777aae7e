/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The open regions of a task, and the booking of their times. */
#ifndef POMP_STACK_H
#define POMP_STACK_H

#include "profile/path.h"
#include "trace/trace.h"

/* Beyond this many open regions visits are still counted, but their time is dropped. */
#define POMP_MOST_FRAMES (1u << 18)

#define POMP_KIND(kind) (1u << (kind))

/* Among kinds: the frame may lie beneath tasks, which have ended without saying so. */
#define POMP_ACROSS_TASKS (1u << 31)

/* The thread brings its mode up to date, and pushes frames for the visits that it has not counted
 * and that are still open. */
void pomp_settle(struct pomp_thread *t);

/* Makes room for a frame; false when the limit is reached, and an exit more will find none. */
bool pomp_stack_grow(struct pomp_thread *t);

/* One of those exits, or all, need not be waited for. */
void pomp_stack_overflow_ends(struct pomp_thread *t, uint64_t exits);

/* Searches below the top, and within the task. */
struct pomp_frame *pomp_stack_search(struct pomp_thread *t, uint32_t region, unsigned kinds);

static inline void pomp_book(struct pomp_thread *t, struct pomp_frame *f, enum pomp_column column,
                             uint64_t ticks) {
  uint64_t *value = (uint64_t *)(uintptr_t)f->slot + column;
  if (f->kind == POMP_FRAME_PARALLEL && __builtin_expect(pomp_shares_row(t), 0))
    __atomic_fetch_add(value, ticks, __ATOMIC_RELAXED);
  else
    *value += ticks;
}

static inline void pomp_count(struct pomp_frame *f, enum pomp_column column) {
  ((uint64_t *)(uintptr_t)f->slot)[column]++;
}

/* Ends the frame's phase and begins another; 0 is none. */
static inline void pomp_phase(struct pomp_thread *t, struct pomp_frame *f, unsigned phase,
                              uint64_t now) {
  if (f->phase)
    pomp_book(t, f, f->phase, pomp_elapsed(f->since, now));
  f->phase = (uint8_t)phase;
  f->since = now;
  pomp_trace_frame(t, f, POMP_TRACE_PHASE | phase, now);
}

/* A frame's flags keep the phase that was left for another. */
static inline void pomp_keep_phase(struct pomp_frame *f, unsigned phase) {
  f->flags = (uint16_t)((f->flags & ~POMP_FRAME_PHASE) | phase * (POMP_FRAME_PHASE / 15));
}

static inline unsigned pomp_kept_phase(const struct pomp_frame *f) {
  return (f->flags & POMP_FRAME_PHASE) / (POMP_FRAME_PHASE / 15);
}

static inline struct pomp_frame *pomp_base(struct pomp_stack *stack) {
  return &stack->record->frames[stack->base - 1];
}

/* The row of the path that the thread is on. */
static inline uint64_t *pomp_here(struct pomp_thread *t) {
  struct pomp_stack_record *r = t->stack->record;
  return r->depth ? (uint64_t *)(uintptr_t)r->frames[r->depth - 1].slot : t->nowhere;
}

static inline struct pomp_frame *pomp_top(struct pomp_thread *t) {
  struct pomp_stack_record *r = t->stack->record;
  return r->depth && !t->stack->overflow ? &r->frames[r->depth - 1] : NULL;
}

static inline bool pomp_is(const struct pomp_frame *f, uint32_t region, unsigned kinds) {
  return f->region == region && (POMP_KIND(f->kind) & kinds);
}

/* A new frame, muted when slot is NULL; NULL when there is no room for it.
 * The depth comes first: a signal handler that interrupts stays above it. */
static inline struct pomp_frame *pomp_push(struct pomp_thread *t, uint32_t region,
                                           enum pomp_frame_kind kind, uint64_t *slot,
                                           unsigned phase, uint64_t now) {
  struct pomp_stack_record *r = t->stack->record;
  if (__builtin_expect(r->depth == r->capacity || t->stack->overflow, 0)) {
    if (!pomp_stack_grow(t))
      return NULL;
    r = t->stack->record;
  }
  struct pomp_frame *f = &r->frames[r->depth++];
  atomic_signal_fence(memory_order_seq_cst);
  f->kind = (uint8_t)kind;
  f->phase = (uint8_t)phase;
  f->flags = slot ? 0 : POMP_FRAME_MUTED;
  f->start = f->since = now;
  f->slot = (uintptr_t)(slot ? slot : t->nowhere);
  f->team = 0;
  f->path = slot ? pomp_path_of(slot) : 0;
  atomic_signal_fence(memory_order_seq_cst);
  f->region = region;
  return f;
}

#endif
