/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The clock of every time stamp: the processor's counter where the system itself keeps its
 * time by it, else clock_gettime. */
#ifndef POMP_CLOCK_H
#define POMP_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#if defined __x86_64__
#define POMP_CLOCK_COUNTER "time-stamp counter"
#elif defined __aarch64__
#define POMP_CLOCK_COUNTER "virtual counter"
#endif

/* Set before the first event, and not again. */
extern bool pomp_clock_counts;

/* Notes the time of loading, of which the counter's frequency is measured from. */
void pomp_clock_load(void);

/* Chooses the clock; wanted says whether the counter may be it. */
void pomp_clock_start(bool wanted);

/* Ticks. */
uint64_t pomp_clock_loaded(void);

/* Ticks per second, the nearer to the truth the later it is asked. */
uint64_t pomp_clock_frequency(void);

const char *pomp_clock_name(void);

static inline uint64_t pomp_clock_counter(void) {
#if defined __x86_64__
  return __builtin_ia32_rdtsc();
#elif defined __aarch64__
  uint64_t value;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(value));
  return value;
#else
  return 0;
#endif
}

/* Waits for the instructions before: a processor reads its counter ahead of them. */
static inline void pomp_clock_settle(void) {
#if defined __x86_64__
  __builtin_ia32_lfence();
#elif defined __aarch64__
  __asm__ volatile("isb" ::: "memory");
#endif
}

uint64_t pomp_clock_nanoseconds(void) __attribute__((cold));

/* Nanoseconds that a thread was on a processor; 0 if unknown. */
uint64_t pomp_clock_of_thread(int clock) __attribute__((cold));

static inline uint64_t pomp_now(void) {
  return __builtin_expect(pomp_clock_counts, 1) ? pomp_clock_counter() : pomp_clock_nanoseconds();
}

/* Stamps of different threads are compared: a difference is never negative. */
static inline uint64_t pomp_elapsed(uint64_t from, uint64_t to) {
  return to > from ? to - from : 0;
}

#endif
