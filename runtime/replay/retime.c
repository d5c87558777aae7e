/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "retime.h"

#include <stdbool.h>

static double later(double a, double b) { return a > b ? a : b; }

void pomp_retime(const struct pomp_points *points) {
  for (uint64_t i = 0; i < points->count; i++) {
    uint32_t row = points->order[i];
    int32_t object = points->object[row];
    double *at = &points->at[points->course[row]];
    double now = *at + points->work[row], lag = points->lag[row];
    bool is_free = points->is_free[row];
    switch ((enum pomp_point)points->kind[row]) {
    case POMP_POINT_FORK:
    case POMP_POINT_ARRIVE:
    case POMP_POINT_RELEASE:
      points->given[object] = later(points->given[object], now);
      break;
    case POMP_POINT_DONE:
      if (!is_free)
        points->given[object] = later(points->given[object], now);
      break;
    case POMP_POINT_BEGIN:
      now = points->given[object] + lag;
      break;
    case POMP_POINT_PASS:
      now = later(is_free ? 0 : now, points->given[object] + lag);
      break;
    case POMP_POINT_WAITED:
      if (!is_free)
        now = later(now, points->given[object] + lag);
      break;
    case POMP_POINT_GOT:
      if (object >= 0 && !is_free)
        now = later(now, points->given[object]);
      now += lag;
      break;
    }
    *at = now;
  }
}

enum {
  SYNCHRONIZES = 1U << POMP_POINT_FORK | 1U << POMP_POINT_ARRIVE | 1U << POMP_POINT_BEGIN |
  1U << POMP_POINT_PASS
};

void pomp_alone_since(const struct pomp_arriving *run) {
  for (uint64_t team = 0; team < run->teams; team++)
    run->newest[team] = -1;
  uint64_t next = 0;
  for (uint64_t row = 0; row < run->count && next < run->arrivals; row++) {
    enum pomp_point kind = (enum pomp_point)run->kind[row];
    if (!(SYNCHRONIZES & 1U << kind))
      continue;
    uint64_t object = (uint64_t)run->object[row];
    int64_t *newest =
        &run->newest[object < run->teams ? object : (uint64_t)run->team[object - run->teams]];
    if (run->arrival[next] == (int64_t)row) {
      bool is_own = *newest >= 0 && run->course[*newest] == run->course[row];
      run->since[next++] = is_own ? *newest : (int64_t)row - 1;
    }
    if (kind != POMP_POINT_ARRIVE)
      *newest = (int64_t)row;
  }
}
