/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A column of durations: pomp_clang/causes/timeline/columns.py. */
#ifndef POMP_REPLAY_TICKS_H
#define POMP_REPLAY_TICKS_H

#include <stddef.h>
#include <stdint.h>

/* One of the two is NULL. */
struct pomp_ticks {
  const double *real;
  const uint32_t *whole;
};

static inline double pomp_ticks_at(const struct pomp_ticks *of, uint64_t row) {
  return of->real ? of->real[row] : of->whole[row];
}

#endif
