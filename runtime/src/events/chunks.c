/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "events/chunks.h"

#include "events/event.h"
#include "events/prices.h"

static __thread unsigned turn __attribute__((tls_model("initial-exec")));

uint64_t pomp_chunk_asked(void) {
  if (++turn < POMP_PRICE_EVERY)
    return 0;
  turn = 0;
  return pomp_now();
}

/* Only the thread itself books there. */
void pomp_chunk_given(uint64_t asked, unsigned chunks) {
  struct pomp_thread *t = pomp_self;
  if (!pomp_mode_counts(pomp_mode_of(t)))
    return;
  struct pomp_frame *f = pomp_fast_top(t);
  if (!f || !(POMP_KIND(f->kind) & (POMP_KIND(POMP_FRAME_WORK) | POMP_KIND(POMP_FRAME_PARALLEL))))
    return;
  uint64_t *row = (uint64_t *)(uintptr_t)f->slot;
  row[POMP_CHUNK_C] += chunks;
  uint64_t took = asked ? pomp_elapsed(asked, pomp_now()) : 0;
  if (took < POMP_PRICE_LONGEST)
    row[POMP_CHUNK_T] += POMP_PRICE_EVERY * took;
}
