/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "changes.h"

void pomp_add_changes(const struct pomp_changes *run) {
  for (uint64_t row = 0; row < run->count; row++) {
    double same = pomp_ticks_at(&run->same, row), sum = same;
    for (uint64_t change = 0; change < run->changes; change++)
      sum += pomp_ticks_at(&run->changed[change], row) - same;
    run->sum[row] = sum > 0 ? sum : 0;
  }
}
