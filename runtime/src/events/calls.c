/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "events/calls.h"

#include <stdatomic.h>

static void (*const calls[])(OMPRegDescr *) = {
#define INLINED(name, fast, slow) POMP_##name,
#include "events/events.def"
};

static _Atomic bool inlined;

bool pomp_calls_are_inlined(void) { return atomic_load_explicit(&inlined, memory_order_relaxed); }

void pomp_call(unsigned event, OMPRegDescr *d) {
  if (!pomp_calls_are_inlined())
    atomic_store_explicit(&inlined, true, memory_order_relaxed);
  calls[event](d);
}
