/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Parts that most events consist of. */
#ifndef POMP_EVENT_H
#define POMP_EVENT_H

#include "counters/counters.h"
#include "profile/region.h"
#include "state.h"
#include "tasks/close.h"
#define POMP_RECORDING
#include "events/fast_events.h"

/* Defines an event with a short way.  The long way is a function of its own, so that the short way
 * does not save registers for it. */
#define POMP_EVENT(name)                                                                           \
  static __attribute__((noinline)) void long_##name(OMPRegDescr *d);                               \
  void POMP_##name(OMPRegDescr *d) {                                                               \
    if (__builtin_expect(!pomp_fast_event_##name(d), 0))                                           \
      long_##name(d);                                                                              \
  }                                                                                                \
  static void long_##name(OMPRegDescr *d)

/* The calling thread, or NULL when the event is not to be measured. */
static inline struct pomp_thread *pomp_arrive(void) {
  if (__builtin_expect(!pomp_is_running(), 0) && !pomp_start()) {
    pomp_thread_ignore();
    return NULL;
  }
  struct pomp_thread *t = pomp_self;
  if (__builtin_expect(!t->location, 0))
    return pomp_thread_attach();
  if (__builtin_expect(!pomp_mode_counts(pomp_mode_of(t)), 0))
    pomp_settle(t);
  return t;
}

/* NULL when the visit is not to be booked. */
static inline uint64_t *pomp_visit(struct pomp_thread *t, uint32_t region) {
  uint64_t *slot = pomp_is_muted() ? NULL : pomp_below(t, pomp_here(t), region);
  if (slot)
    slot[POMP_EXEC_C]++;
  return slot;
}

static inline void pomp_enter_region(struct pomp_thread *t, uint32_t region,
                                     enum pomp_frame_kind kind, unsigned phase) {
  uint64_t *slot = pomp_visit(t, region);
  uint64_t now = pomp_stamp(t);
  struct pomp_frame *f = pomp_push(t, region, kind, slot, phase, now);
  if (kind == POMP_FRAME_USER && f && slot)
    pomp_user_begins(t, f, slot);
  if (__builtin_expect(!f && slot && pomp_traces, 0))
    pomp_trace_put(t, POMP_TRACE_VISITS, pomp_path_of(slot), now);
  pomp_trace_entered(t, f, now);
}

/* The first event of a visit. */
static inline void pomp_enter(OMPRegDescr *d, enum pomp_frame_kind kind, unsigned phase) {
  struct pomp_thread *t = pomp_arrive();
  uint32_t region = t ? pomp_region(d) : 0;
  if (region)
    pomp_enter_region(t, region, kind, phase);
}

/* The same for a construct that may be part of a combined one, which has one descriptor for all its
 * parts.  The frame of the outermost part serves; the exit of an inner part finds no frame of its
 * own.  In a task of the construct it is entered again. */
static inline void pomp_enter_part(OMPRegDescr *d, enum pomp_frame_kind kind) {
  struct pomp_thread *t = pomp_arrive();
  uint32_t region = t ? pomp_region(d) : 0;
  struct pomp_frame *f = region ? pomp_top(t) : NULL;
  if (region && (!f || f->region != region || f->kind == kind || f->kind == POMP_FRAME_TASK))
    pomp_enter_region(t, region, kind, 0);
}

/* An event within a visit: another phase begins. */
static inline struct pomp_frame *pomp_step(OMPRegDescr *d, unsigned kinds, unsigned phase) {
  struct pomp_thread *t = pomp_arrive();
  uint32_t region = t ? pomp_region(d) : 0;
  if (!region)
    return NULL;
  uint64_t now = pomp_stamp(t);
  struct pomp_frame *f = pomp_find(t, region, kinds, now);
  if (f)
    pomp_phase(t, f, phase, now);
  return f;
}

/* The last event of a visit. */
static inline void pomp_leave(OMPRegDescr *d, unsigned kinds) {
  struct pomp_thread *t = pomp_arrive();
  uint32_t region = t ? pomp_region(d) : 0;
  if (!region)
    return;
  uint64_t now = pomp_stamp(t);
  struct pomp_frame *f = pomp_find_last(t, region, kinds, now);
  if (f)
    pomp_close(t, f, now);
}

#endif
