/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Constructs of which count and time are told: they are left alone inside. */
#include "event.h"

#define SHORT_PAIR(name)                                                                           \
  POMP_EVENT(name##_enter) { pomp_enter_part(d, POMP_FRAME_SIMPLE); }                              \
  POMP_EVENT(name##_exit) { pomp_leave(d, POMP_KIND(POMP_FRAME_SIMPLE)); }

#define PAIR(name)                                                                                 \
  void POMP_##name##_enter(OMPRegDescr *d) { pomp_enter_part(d, POMP_FRAME_SIMPLE); }              \
  void POMP_##name##_exit(OMPRegDescr *d) { pomp_leave(d, POMP_KIND(POMP_FRAME_SIMPLE)); }

SHORT_PAIR(Simd)
SHORT_PAIR(Loop)
PAIR(Teams)
PAIR(Distribute)
PAIR(Target)
PAIR(Target_data)
PAIR(Target_enter_data)
PAIR(Target_exit_data)
PAIR(Target_update)
PAIR(Dispatch)
PAIR(Depobj)
PAIR(Interop)
PAIR(Metadirective)

/* The block of `target data` is the host's own; its data is mapped before and after. */
void POMP_Target_data_begin(OMPRegDescr *d) {
  pomp_step(d, POMP_KIND(POMP_FRAME_SIMPLE), POMP_BODY_T);
}

void POMP_Target_data_end(OMPRegDescr *d) { pomp_step(d, POMP_KIND(POMP_FRAME_SIMPLE), 0); }

/* What is obeyed has no exit: what is closed beneath it closes it. */
#define CANCEL(name)                                                                               \
  void POMP_##name##_enter(OMPRegDescr *d) { pomp_enter(d, POMP_FRAME_CANCEL, 0); }                \
  void POMP_##name##_exit(OMPRegDescr *d) { pomp_leave(d, POMP_KIND(POMP_FRAME_CANCEL)); }

CANCEL(Cancel)
CANCEL(Cancellation_point)
