/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "search.h"

/* How many of the ordered numbers are less; mostly about as many as `near`. */
static uint64_t less_than(const int64_t *ordered, uint64_t count, int64_t number, uint64_t near) {
  uint64_t low = near, high = near;
  for (uint64_t step = 1; high < count && ordered[high] < number; step *= 2) {
    low = high + 1;
    high = step < count - high ? high + step : count;
  }
  for (uint64_t step = 1; low > 0 && ordered[low - 1] >= number; step *= 2) {
    high = low - 1;
    low = step < high ? high - step : 0;
  }
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    if (ordered[middle] < number)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void pomp_search(const struct pomp_searching *run) {
  uint64_t near = 0;
  for (uint64_t row = 0; row < run->numbers; row++) {
    int64_t number = run->number[row];
    if (run->equal && number == INT64_MAX)
      near = run->count;
    else
      near = less_than(run->ordered, run->count, number + (run->equal != 0), near);
    run->rows[row] = (int64_t)near;
  }
}
