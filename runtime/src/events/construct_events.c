/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The events of constructs, all but those of parallel regions and tasks: events.def says what each
 * does. */
#include "events/barrier.h"
#include "events/event.h"
#include "events/user_events.h"
#include "events/worksharing.h"
#include "state.h"

#define SIMPLE POMP_KIND(POMP_FRAME_SIMPLE)
#define SYNC POMP_KIND(POMP_FRAME_SYNC)

/* A cancellation that is obeyed has no exit: its frame is closed with what lies beneath it. */
#define CANCEL POMP_KIND(POMP_FRAME_CANCEL)

static inline void enter_critical(OMPRegDescr *d) {
  pomp_process_calls.before_critical(d);
  pomp_enter(d, POMP_FRAME_SYNC, POMP_ENTER_T);
}

static inline void begin_master(OMPRegDescr *d) {
  pomp_process_calls.before_master(d);
  pomp_enter_part(d, POMP_FRAME_SIMPLE);
}

static inline void enter_target(OMPRegDescr *d) {
  pomp_process_calls.before_target();
  pomp_enter_part(d, POMP_FRAME_SIMPLE);
  struct pomp_thread *t = pomp_arrive();
  struct pomp_frame *f = t ? pomp_top(t) : NULL;
  if (f && f->kind == POMP_FRAME_SIMPLE && f->region == pomp_region(d))
    f->flags |= POMP_FRAME_KERNEL;
}

#define INLINED(name, fast, slow)                                                                  \
  POMP_EVENT(name) { slow; }
#define FAST INLINED
#define CALLED(name, slow)                                                                         \
  void POMP_##name(OMPRegDescr *d) { slow; }
#define PAIR(name)                                                                                 \
  CALLED(name##_enter, pomp_enter_part(d, POMP_FRAME_SIMPLE))                                      \
  CALLED(name##_exit, pomp_leave(d, SIMPLE))
#include "events/events.def"
