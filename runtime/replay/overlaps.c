/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "overlaps.h"

#include <stdbool.h>

static bool are_in_order(const struct pomp_spans_in_order *spans) {
  bool are = true;
  for (uint64_t row = 0; row < spans->count; row++) {
    are &= spans->begin[row] <= spans->end[row];
    are &= row == 0 || spans->end[row - 1] <= spans->begin[row];
  }
  return are;
}

uint64_t pomp_find_overlaps(const struct pomp_overlaps *run) {
  const struct pomp_spans_in_order *one = &run->one, *other = &run->other;
  uint64_t count = 0, row = 0, other_row = 0;
  if (!are_in_order(one) || !are_in_order(other))
    return UINT64_MAX;
  while (row < one->count && other_row < other->count) {
    int64_t begin = one->begin[row], end = one->end[row];
    int64_t other_end = other->end[other_row];
    if (other->begin[other_row] > begin)
      begin = other->begin[other_row];
    if (begin < (other_end < end ? other_end : end)) {
      run->one_row[count] = (int64_t)row;
      run->other_row[count] = (int64_t)other_row;
      run->begin[count] = begin;
      run->end[count++] = other_end < end ? other_end : end;
    }
    if (end <= other_end)
      row++;
    else
      other_row++;
  }
  return count;
}
