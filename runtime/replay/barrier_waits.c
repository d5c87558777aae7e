/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "barrier_waits.h"

void pomp_add_waits(const struct pomp_waiting *run) {
  int64_t *ticks = run->ticks;
  for (uint64_t row = 0; row < run->count; row++) {
    int32_t arrival = run->arrival[row];
    int64_t instance = run->instance[arrival], begin = run->begin[row], end = run->end[row];
    if (run->until[instance] < end)
      end = run->until[instance];
    if (run->since && run->since[instance] > begin)
      begin = run->since[instance];
    if (end > begin)
      ticks[arrival] += end - begin;
  }
}
