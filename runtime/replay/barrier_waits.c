/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "barrier_waits.h"

void pomp_meet(const struct pomp_meeting *run) {
  for (uint64_t arrival = 0; arrival < run->count; arrival++) {
    int64_t instance = run->instance[arrival];
    if (run->enter[arrival] > run->last[instance]) {
      run->last[instance] = run->enter[arrival];
      run->last_location[instance] = (int32_t)run->location;
    }
    if (run->final[arrival] > run->done[instance]) {
      run->done[instance] = run->final[arrival];
      run->done_location[instance] = (int32_t)run->location;
    }
  }
}

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
