/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "overlay.h"

#include <stdbool.h>

static bool is_in_order(const struct pomp_overlaying *run) {
  bool is = true;
  for (uint64_t row = 1; row < run->count; row++)
    is &= run->begin[row - 1] <= run->begin[row];
  if (run->count)
    is &= run->begin[run->count - 1] <= run->end;
  for (uint64_t row = 0; row < run->laid; row++) {
    is &= run->since[row] <= run->until[row];
    is &= row == 0 || run->until[row - 1] <= run->since[row];
  }
  return is;
}

static uint64_t put(const struct pomp_overlaying *run, uint64_t at, int64_t begin, int64_t path,
                    uint8_t doing) {
  run->new_begin[at] = begin;
  run->new_path[at] = (int32_t)path;
  run->new_doing[at] = doing;
  return at + 1;
}

/* Lays intervals over one of the timeline, from `*laid` on: those before are over. */
static uint64_t cover(const struct pomp_overlaying *run, uint64_t *laid, uint64_t row,
                      uint64_t at) {
  int64_t begin = run->begin[row], end = row + 1 < run->count ? run->begin[row + 1] : run->end;
  int64_t covered = begin;
  while (*laid < run->laid && run->until[*laid] <= begin)
    (*laid)++;
  for (uint64_t one = *laid; one < run->laid && run->since[one] < end; one++) {
    int64_t from = run->since[one] > begin ? run->since[one] : begin;
    int64_t to = run->until[one] < end ? run->until[one] : end;
    if (from >= to)
      continue;
    if (from > covered && covered > begin)
      at = put(run, at, covered, run->path[row], run->doing[row]);
    at = put(run, at, from, run->laid_path[one], (uint8_t)run->laid_doing);
    covered = to;
  }
  return covered > begin && covered < end ? put(run, at, covered, run->path[row], run->doing[row])
                                          : at;
}

uint64_t pomp_overlay(const struct pomp_overlaying *run) {
  uint64_t laid = 0, at = 0;
  if (!is_in_order(run))
    return UINT64_MAX;
  for (uint64_t row = 0; row < run->count; row++) {
    at = put(run, at, run->begin[row], run->path[row], run->doing[row]);
    if (run->doing[row] == run->over)
      at = cover(run, &laid, row, at);
  }
  return at;
}
