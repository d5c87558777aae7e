/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "changes.h"

enum { BLOCK = 1024 };

static void read_block(const struct pomp_ticks *of, uint64_t first, uint64_t count, double *ticks) {
  if (of->real)
    for (uint64_t row = 0; row < count; row++)
      ticks[row] = of->real[first + row];
  else
    for (uint64_t row = 0; row < count; row++)
      ticks[row] = of->whole[first + row];
}

/* Some rows at a time, whose columns stay in a processor's cache. */
void pomp_add_changes(const struct pomp_changes *run) {
  double same[BLOCK], changed[BLOCK];
  for (uint64_t first = 0; first < run->count; first += BLOCK) {
    uint64_t count = run->count - first < BLOCK ? run->count - first : BLOCK;
    double *sum = run->sum + first;
    read_block(&run->same, first, count, same);
    read_block(&run->same, first, count, sum);
    for (uint64_t change = 0; change < run->changes; change++) {
      read_block(&run->changed[change], first, count, changed);
      for (uint64_t row = 0; row < count; row++)
        sum[row] += changed[row] - same[row];
    }
    for (uint64_t row = 0; row < count; row++)
      sum[row] = sum[row] > 0 ? sum[row] : 0;
  }
}
