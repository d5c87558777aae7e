/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "events/calls.h"
#include "trace/trace.h"

void pomp_record(struct pomp_thread *t, unsigned op, uint32_t path, uint64_t now) {
  pomp_trace_put(t, op, path, now);
}
