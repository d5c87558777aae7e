/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "location/mode.h"

#include "state.h"

_Static_assert(offsetof(struct pomp_thread, mode) == 0 && POMP_SKIPS == 1 && POMP_IGNORES == 2,
               "what guards a call in a program asks whether the first word is one of these");

static enum pomp_mode mode_for(const struct pomp_thread *t) {
  if (atomic_load(&pomp_state) != POMP_RUNNING)
    return POMP_IGNORES;
  if (!pomp_clock_counts || t->stack->overflow || pomp_metric_count)
    return POMP_CALLS;
  if (atomic_load(&pomp_muted))
    return POMP_SKIPS;
  return pomp_traces ? POMP_RECORDS : POMP_MEASURES;
}

/* A thread that changes the state which a mode follows calls this after the change.  If two threads
 * change it at once, one of them sees both changes. */
void pomp_mode_settle(struct pomp_thread *t) {
  enum pomp_mode mode;
  if (pomp_mode_of(t) == mode_for(t))
    return;
  do
    atomic_store(&t->mode, mode = mode_for(t));
  while (mode != mode_for(t));
}

void pomp_modes_change(void) {
  for (struct pomp_thread *t = pomp_threads; t; t = t->next) {
    enum pomp_mode mode;
    do {
      mode = mode_for(t);
      atomic_store(&t->mode, pomp_mode_counts(mode) ? POMP_CALLS : mode);
    } while (mode != mode_for(t));
  }
}
