/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The iterations of the loops that a filter selects.  Other loops have no such events. */
#include "events/event.h"
#include "profile/iterations.h"

void POMP_Iterations_begin(OMPRegDescr *d) {
  if (pomp_is_muted())
    return;
  struct pomp_thread *t = pomp_arrive();
  uint32_t region = t ? pomp_region(d) : 0;
  if (region)
    pomp_iterations_enter(t, region);
}

void POMP_Iterations_end(OMPRegDescr *d) {
  struct pomp_thread *t = pomp_self;
  if (t->iterations)
    pomp_iterations_leave(t, pomp_region(d));
}

/* The value that follows one in the same chunk tells the loop's direction. */
void POMP_Iteration(OMPRegDescr *d, long value) {
  struct pomp_iterations *loop = pomp_self->iterations;
  if (!loop || !loop->record || loop->inner || loop->region != pomp_fast_region(d))
    return;
  uint64_t now = pomp_now();
  if (loop->runs && value < loop->value)
    loop->record->backwards++;
  pomp_iterations_close(loop, now);
  loop->value = value;
  loop->since = now;
  loop->runs = true;
}
