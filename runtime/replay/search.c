/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "search.h"

#include <stdbool.h>

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

static uint64_t not_above(const int64_t *ordered, uint64_t count, int64_t number, uint64_t near) {
  return number == INT64_MAX ? count : less_than(ordered, count, number + 1, near);
}

void pomp_search(const struct pomp_searching *run) {
  uint64_t near = 0;
  for (uint64_t row = 0; row < run->numbers; row++) {
    near = (run->equal ? not_above : less_than)(run->ordered, run->count, run->number[row], near);
    run->rows[row] = (int64_t)near;
  }
}

void pomp_link_moments(const struct pomp_moments *moments) {
  for (uint64_t row = 0; row < moments->count; row++) {
    bool is_head = row == 0 || moments->location[row] != moments->location[row - 1];
    moments->before[row] = is_head ? (int32_t)row - 1 : moments->before[row - 1];
  }
}

void pomp_find_awaited(const struct pomp_awaiting *run) {
  const struct pomp_moments *of = &run->of;
  uint64_t near = 0;
  for (uint64_t wait = 0; wait < run->waits; wait++) {
    near = not_above(of->time, of->count, run->end[wait], near);
    int32_t row = (int32_t)near - 1;
    if (row >= 0 && of->location[row] == run->location)
      row = of->before[row];
    run->rows[wait] = row >= 0 && of->time[row] > run->begin[wait] ? row : -1;
  }
}
