/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Prices: the time that events of parallel regions and tasks take in the program itself, where
 * cache lines move between threads and call paths are long.  One in POMP_PRICE_EVERY of a thread's
 * events is timed from outside. */
#ifndef POMP_PRICES_H
#define POMP_PRICES_H

#include "profile/stack.h"

/* A prime, so that a program's own turns do not fall into step with it; and the ticks beyond
 * which a thread was interrupted. */
enum { POMP_PRICE_EVERY = 31, POMP_PRICE_LONGEST = 1 << 16 };

/* Return where the calling thread's next event of this kind is priced. */
static inline struct pomp_price *pomp_price_of(enum pomp_priced kind) {
  struct pomp_thread *t = pomp_self;
  return t->location ? &t->prices[kind] : NULL;
}

/* Return the time, or 0 if the event is not timed. */
static inline uint64_t pomp_price_begin(struct pomp_price *p) {
  if (!p || __builtin_expect(++p->turn < POMP_PRICE_EVERY, 1))
    return 0;
  p->turn = 0;
  return pomp_now();
}

static inline void pomp_price_end(struct pomp_price *p, uint64_t from) {
  uint64_t took = pomp_elapsed(from, pomp_now());
  if (took < POMP_PRICE_LONGEST) {
    /* The end of the program reads them while threads may still run. */
    __atomic_store_n(&p->ticks, p->ticks + took, __ATOMIC_RELAXED);
    __atomic_store_n(&p->count, p->count + 1, __ATOMIC_RELAXED);
  }
}

/* The same of an event that a master and the others of its team make: theirs have prices of
 * their own. */
static inline void pomp_price_end_member(struct pomp_price *p, uint64_t from) {
  struct pomp_frame *f = pomp_top(pomp_self);
  pomp_price_end(f && f->flags & POMP_FRAME_MASTER ? p : p + 1, from);
}

/* The definition of an event that has a price. */
#define POMP_PRICED(name, kind)                                                                    \
  static inline void priced_##name(OMPRegDescr *d);                                                \
  void POMP_##name(OMPRegDescr *d) {                                                               \
    struct pomp_price *p = pomp_price_of(kind);                                                    \
    uint64_t from = pomp_price_begin(p);                                                           \
    priced_##name(d);                                                                              \
    if (__builtin_expect(from != 0, 0))                                                            \
      pomp_price_end(p, from);                                                                     \
  }                                                                                                \
  static inline void priced_##name(OMPRegDescr *d)

/* The definition of an event with a short way, `fast_NAME`, and a price.  A thread that measures
 * takes the short way if it can, also where the event is timed or recorded. */
#define POMP_PRICED_FAST(name, event, kind, end)                                                   \
  static __attribute__((noinline)) void long_##name(OMPRegDescr *d);                               \
  static __attribute__((noinline)) bool recorded_##name(struct pomp_thread *t, OMPRegDescr *d) {   \
    return pomp_mode_of(t) == POMP_RECORDS && fast_##name(t, d, true);                             \
  }                                                                                                \
  static __attribute__((noinline)) void timed_##name(OMPRegDescr *d, struct pomp_price *p,         \
                                                     uint64_t from) {                              \
    struct pomp_thread *t = pomp_self;                                                             \
    if (!(pomp_mode_of(t) == POMP_MEASURES && fast_##name(t, d, false)) && !recorded_##name(t, d)) \
      long_##name(d);                                                                              \
    end(p, from);                                                                                  \
  }                                                                                                \
  static __attribute__((noinline)) void priced_##name(OMPRegDescr *d) {                            \
    struct pomp_price *p = pomp_price_of(kind);                                                    \
    uint64_t from = pomp_price_begin(p);                                                           \
    if (__builtin_expect(from != 0, 0))                                                            \
      timed_##name(d, p, from);                                                                    \
    else if (!recorded_##name(pomp_self, d))                                                       \
      long_##name(d);                                                                              \
  }                                                                                                \
  void POMP_##event(OMPRegDescr *d) {                                                              \
    struct pomp_thread *t = pomp_self;                                                             \
    if (__builtin_expect(pomp_mode_of(t) == POMP_MEASURES, 1) &&                                   \
        __builtin_expect(t->prices[kind].turn < POMP_PRICE_EVERY - 1, 1) &&                        \
        __builtin_expect(fast_##name(t, d, false), 1))                                             \
      t->prices[kind].turn++;                                                                      \
    else                                                                                           \
      priced_##name(d);                                                                            \
  }                                                                                                \
  static void long_##name(OMPRegDescr *d)

/* Return the mean ticks of an event over all threads, less the `surplus` that timing adds; 0 if
 * none was timed. */
double pomp_price_mean(enum pomp_priced kind, double surplus);

#endif
