/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "events/event.h"
#include "events/omp_routines.h"
#include "profile/held_locks.h"

/* Opens the visit of an attempt to get the lock. */
static void enter_lock(OMPRegDescr *d) { pomp_enter(d, POMP_FRAME_SYNC, POMP_ENTER_T); }

/* Closes it; from here on the lock is held, if the attempt was successful. */
static void exit_lock(OMPRegDescr *d, void *lock, bool nestable, bool got) {
  struct pomp_thread *t = pomp_arrive();
  uint32_t region = t ? pomp_region(d) : 0;
  if (!region)
    return;
  uint64_t now = pomp_stamp(t);
  struct pomp_frame *f = pomp_find_last(t, region, POMP_KIND(POMP_FRAME_SYNC), now);
  if (f && !f->phase)
    now = f->since; /* time that the OpenMP runtime reported */
  bool muted = !f || f->flags & POMP_FRAME_MUTED;
  uint64_t *slot = f ? (uint64_t *)(uintptr_t)f->slot : t->nowhere;
  if (f)
    pomp_close_top(t, now);
  if (!got)
    return;
  pomp_held_locks_add(t, lock, nestable, muted ? 0 : region, slot, now);
  pomp_trace_lock(t, nestable ? POMP_TRACE_HOLDS_MORE : POMP_TRACE_HOLDS,
                  muted ? 0 : pomp_path_of(slot), now, lock);
}

static void set_lock(void *lock, OMPRegDescr *d, bool nestable, void (*set)(void *)) {
  enter_lock(d);
  set(lock);
  exit_lock(d, lock, nestable, true);
}

/* Ticks within which a thread tries again that waits for the lock: SOON in
 * pomp_clang/experiment/layout.py. */
static uint64_t soon(void) {
  static _Atomic uint64_t ticks;
  if (!atomic_load_explicit(&ticks, memory_order_relaxed))
    atomic_store_explicit(&ticks, pomp_clock_frequency() / 100, memory_order_relaxed);
  return atomic_load_explicit(&ticks, memory_order_relaxed);
}

/* Returns the time of the first of several attempts in a row; the newest visit is an attempt after
 * the event `last`.  A thread that tries again and again is waiting.  The time between two attempts
 * at a place is booked as the lock's, if the thread had no event in between and was not away for
 * longer than it had tried. */
static uint64_t trying_since(struct pomp_thread *t, void *lock, uint64_t last) {
  const struct pomp_frame *f = &t->stack->record->frames[t->stack->record->depth - 1];
  uint64_t between = pomp_elapsed(last, f->start);
  if (t->tried.lock != lock || t->tried.last != last || t->tried.slot != f->slot ||
      (between > pomp_elapsed(t->tried.since, last) && between > soon()))
    return f->start;
  uint64_t *slot = (uint64_t *)(uintptr_t)f->slot;
  slot[POMP_ENTER_T] += between;
  slot[POMP_EXEC_T] += between;
  return t->tried.since;
}

static int test_lock(void *lock, OMPRegDescr *d, bool nestable, int (*test)(void *)) {
  struct pomp_thread *t = pomp_current_thread();
  uint64_t last = t ? t->location->last : 0;
  enter_lock(d);
  struct pomp_tried tried = {0};
  t = pomp_current_thread();
  if (t && t->stack->record->depth) {
    tried.since = trying_since(t, lock, last);
    tried.slot = t->stack->record->frames[t->stack->record->depth - 1].slot;
    tried.lock = lock;
  }
  int result = test(lock);
  exit_lock(d, lock, nestable, result != 0);
  if (t) {
    t->tried = result ? (struct pomp_tried){0} : tried;
    t->tried.last = t->location->last;
  }
  return result;
}

/* Returns the row for the time of a release: of the place that got the lock or, if another thread
 * got it, of the place that releases it. */
static uint64_t *slot_of_release(struct pomp_thread *t, void *lock, OMPRegDescr *d, uint64_t now) {
  struct pomp_held_lock held;
  if (pomp_held_locks_take(t, lock, &held)) {
    uint64_t *slot = (uint64_t *)(uintptr_t)held.slot;
    slot[POMP_BODY_T] += pomp_elapsed(held.since, now);
    slot[POMP_EXEC_T] += pomp_elapsed(held.since, now);
    pomp_trace_lock(t, POMP_TRACE_RELEASES, pomp_path_of(slot), now, lock);
    return slot;
  }
  uint32_t region = pomp_is_muted() ? 0 : pomp_region(d);
  uint64_t *slot = region ? pomp_visit(t, region) : NULL;
  pomp_trace_lock(t, POMP_TRACE_HANDS_OVER, slot ? pomp_path_of(slot) : 0, now, lock);
  return slot;
}

static void unset_lock(void *lock, OMPRegDescr *d, void (*unset)(void *)) {
  struct pomp_thread *t = pomp_arrive();
  if (!t) {
    unset(lock);
    return;
  }
  uint64_t begun = pomp_stamp(t);
  uint64_t *slot = slot_of_release(t, lock, d, begun);
  unset(lock);
  uint64_t now = pomp_stamp(t), took = pomp_elapsed(begun, now);
  if (!slot || !pomp_is_running())
    return;
  slot[POMP_EXIT_T] += took;
  slot[POMP_EXEC_T] += took;
  if (pomp_traces)
    pomp_trace_put(t, POMP_TRACE_RELEASED, pomp_path_of(slot), now);
}

void POMP_Set_lock(void *lock, OMPRegDescr *d) {
  set_lock(lock, d, false, POMP_OMP_ROUTINE(void, omp_set_lock));
}

void POMP_Unset_lock(void *lock, OMPRegDescr *d) {
  unset_lock(lock, d, POMP_OMP_ROUTINE(void, omp_unset_lock));
}

int POMP_Test_lock(void *lock, OMPRegDescr *d) {
  return test_lock(lock, d, false, POMP_OMP_ROUTINE(int, omp_test_lock));
}

void POMP_Set_nest_lock(void *lock, OMPRegDescr *d) {
  set_lock(lock, d, true, POMP_OMP_ROUTINE(void, omp_set_nest_lock));
}

void POMP_Unset_nest_lock(void *lock, OMPRegDescr *d) {
  unset_lock(lock, d, POMP_OMP_ROUTINE(void, omp_unset_nest_lock));
}

int POMP_Test_nest_lock(void *lock, OMPRegDescr *d) {
  return test_lock(lock, d, true, POMP_OMP_ROUTINE(int, omp_test_nest_lock));
}
