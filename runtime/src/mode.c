/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "mode.h"

#include "metrics.h"
#include "process.h"
#include "stack.h"

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

/* In the order in which they were entered: what they are has been kept as it stands in a frame. */
static void make_frames(struct pomp_thread *t) {
  uint32_t count = t->skipped;
  t->skipped = 0;
  for (uint32_t i = 0; i < count; i++) {
    struct pomp_frame kept = {.kind_phase_flags = t->skips[i].kind_phase_flags};
    pomp_push(t, t->skips[i].region, kept.kind, NULL, kept.phase, t->location->last);
  }
}

/* Who changes what a mode follows from comes here after that: of two at once, one sees both. */
void pomp_mode_settle(struct pomp_thread *t) {
  enum pomp_mode mode;
  if (t->skipped)
    make_frames(t);
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
