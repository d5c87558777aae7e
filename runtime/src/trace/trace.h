/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Recording: the booked events in their order, with their times.
 *
 * A thread stores words into its own mapped memory, one after the other.  The values of a word are
 * stored before the word. */
#ifndef POMP_TRACE_H
#define POMP_TRACE_H

#include "location/thread.h"
#include "state.h"
#include "trace/trace_format.h"

/* Begins another block and returns where its next word goes.  NULL if there is no room; the loss is
 * counted. */
uint64_t *pomp_trace_turn(struct pomp_thread *t, uint64_t now) __attribute__((cold, noinline));

/* Reports once that the limit of the trace is reached. */
void pomp_trace_report_limit(void);

/* There is room for a word and its values. */
static inline bool pomp_trace_fits(const struct pomp_thread *t, uint64_t now) {
  return !((now - t->trace.base) >> POMP_TRACE_TICK_BITS) && t->trace.next < t->trace.end;
}

static inline uint64_t *pomp_trace_next(struct pomp_thread *t, uint64_t now) {
  return __builtin_expect(pomp_trace_fits(t, now), 1) ? t->trace.next : pomp_trace_turn(t, now);
}

static inline void pomp_trace_store(struct pomp_thread *t, uint64_t *at, unsigned op, uint32_t path,
                                    uint64_t now) {
  uint64_t word = (now - t->trace.base) << 24 | (uint64_t)path << 8 | op;
  __atomic_store_n(at, word, __ATOMIC_RELAXED);
}

/* The same of a word for which there is no room left in this block. */
void pomp_trace_put_on(struct pomp_thread *t, unsigned op, uint32_t path, uint64_t now)
    __attribute__((cold, noinline));

static inline void pomp_trace_put(struct pomp_thread *t, unsigned op, uint32_t path, uint64_t now) {
  uint64_t *at = t->trace.next;
  if (__builtin_expect(!pomp_trace_fits(t, now), 0))
    return pomp_trace_put_on(t, op, path, now);
  t->trace.next = at + 1;
  pomp_trace_store(t, at, op, path, now);
}

/* A word with one value, or with up to POMP_TRACE_MOST_VALUES. */
void pomp_trace_put_value(struct pomp_thread *t, unsigned op, uint32_t path, uint64_t now,
                          uint64_t value);
void pomp_trace_put_values(struct pomp_thread *t, unsigned op, uint32_t path, uint64_t now,
                           const uint64_t *values, unsigned count);

/* Frames that do not count are recorded only if they tell tasks and teams apart, and without a
 * path. */
static inline bool pomp_trace_has(const struct pomp_frame *f) {
  const unsigned apart = 1u << POMP_FRAME_TASK | 1u << POMP_FRAME_PARALLEL | 1u << POMP_FRAME_FORK;
  return !(f->flags & POMP_FRAME_MUTED) ||
         (1u << f->kind & apart && !(f->flags & POMP_FRAME_UNRECORDED));
}

/* The frame's next event. */
static inline void pomp_trace_frame(struct pomp_thread *t, const struct pomp_frame *f, unsigned op,
                                    uint64_t now) {
  if (__builtin_expect(pomp_traces, 0) && pomp_trace_has(f))
    pomp_trace_put(t, op, f->path, now);
}

static inline unsigned pomp_trace_enter_op(const struct pomp_frame *f, unsigned how) {
  bool special = (f->kind == POMP_FRAME_USER && f->flags & POMP_FRAME_INNER) ||
                 (f->kind == POMP_FRAME_TASK && f->flags & POMP_FRAME_SUSPENDS) ||
                 (f->kind == POMP_FRAME_WORK && f->phase == POMP_BODY_T);
  if (f->kind == POMP_FRAME_TASK && f->flags & POMP_FRAME_SWITCHED && pomp_trace_has(f - 1))
    how |= POMP_TRACE_SWITCHES;
  return POMP_TRACE_ENTER | (unsigned)f->kind << 3 | (special ? POMP_TRACE_SPECIAL : 0) | how;
}

static inline void pomp_trace_entered(struct pomp_thread *t, const struct pomp_frame *f,
                                      uint64_t now) {
  if (f)
    pomp_trace_frame(t, f, pomp_trace_enter_op(f, 0), now);
}

static inline void pomp_trace_lock(struct pomp_thread *t, unsigned op, uint32_t path, uint64_t now,
                                   const void *lock) {
  if (__builtin_expect(pomp_traces, 0))
    pomp_trace_put_value(t, op, path, now, (uintptr_t)lock);
}

#endif
