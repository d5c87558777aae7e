/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions and regions that the user chose, and values of the program's variables.  Values are in
 * the trace only. */
#include "events/user_events.h"

#include "events/event.h"

#include <string.h>

#define LOW_BITS (UINT64_MAX >> 8)

void pomp_user_enter(OMPRegDescr *d) { pomp_enter(d, POMP_FRAME_USER, 0); }

void pomp_user_leave(OMPRegDescr *d) { pomp_leave(d, POMP_KIND(POMP_FRAME_USER)); }

/* Records a value, if the user region is open and counts. */
static void tell(OMPRegDescr *d, enum pomp_trace_type type, uint64_t value, uint64_t more,
                 bool is_wide) {
  struct pomp_thread *t = pomp_traces ? pomp_arrive() : NULL;
  uint32_t region = t ? pomp_region(d) : 0;
  struct pomp_frame *f = region ? pomp_stack_search(t, region, POMP_KIND(POMP_FRAME_USER)) : NULL;
  if (!f || f->flags & POMP_FRAME_MUTED)
    return;
  uint64_t now = pomp_stamp(t);
  unsigned op = POMP_TRACE_TELLS | type;
  if (is_wide)
    pomp_trace_put_values(t, op, f->path, now, (const uint64_t[]){value, more}, 2);
  else
    pomp_trace_put_value(t, op, f->path, now, value);
}

void POMP_Value_int(OMPRegDescr *d, long value) {
  uint64_t bits = (uint64_t)value;
  bool is_wide = value >= INT64_C(1) << 55 || value < -(INT64_C(1) << 55);
  tell(d, POMP_TRACE_SIGNED, bits & LOW_BITS, bits >> 56, is_wide);
}

void POMP_Value_unsigned(OMPRegDescr *d, unsigned long value) {
  tell(d, POMP_TRACE_UNSIGNED, value & LOW_BITS, value >> 56, value >> 56);
}

void POMP_Value_real(OMPRegDescr *d, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  tell(d, POMP_TRACE_REAL, bits >> 8, bits & 0xff, bits & 0xff);
}
