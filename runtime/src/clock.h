/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The clock of every time stamp. */
#ifndef POMP_CLOCK_H
#define POMP_CLOCK_H

#include <stdint.h>
#include <time.h>

#define POMP_CLOCK_NAME "clock_gettime(CLOCK_MONOTONIC)"
#define POMP_TICKS_PER_SECOND UINT64_C(1000000000)

static inline uint64_t pomp_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * POMP_TICKS_PER_SECOND + (uint64_t)t.tv_nsec;
}

/* Stamps of different threads are compared: a difference is never negative. */
static inline uint64_t pomp_elapsed(uint64_t from, uint64_t to) {
  return to > from ? to - from : 0;
}

#endif
