/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "retime.h"

static double later(double a, double b) { return a > b ? a : b; }

void pomp_retime(const struct pomp_points *points) {
  for (uint64_t i = 0; i < points->count; i++) {
    uint32_t row = points->order[i];
    int32_t object = points->object[row];
    double *at = &points->at[points->course[row]];
    double now = *at + points->work[row], lag = points->lag[row];
    switch ((enum pomp_point)points->kind[row]) {
    case POMP_POINT_FORK:
    case POMP_POINT_ARRIVE:
    case POMP_POINT_RELEASE:
      points->given[object] = later(points->given[object], now);
      break;
    case POMP_POINT_BEGIN:
      now = points->given[object] + lag;
      break;
    case POMP_POINT_PASS:
      now = later(now, points->given[object] + lag);
      break;
    case POMP_POINT_GOT:
      if (object >= 0 && !points->is_free[row])
        now = later(now, points->given[object]);
      now += lag;
      break;
    }
    *at = now;
  }
}
