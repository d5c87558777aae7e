/* What the program and its libraries agree about. */
#ifndef STRESS_H
#define STRESS_H

/* What libomp 19 does not stand, by itself: it hangs where some of a team cancel it and others do
 * not, aborts at tasks below one that is not deferred, and hangs now and then where a
 * taskyield runs tasks that wait for others. */
#ifdef __clang__
#define CANCELS 1
#define DEFERRED 1
#else
#define CANCELS (omp_get_thread_num() == 0)
#define DEFERRED (next(&state) % 4)
#endif

/* Somebody came by the construct that begins on this line. */
typedef void counting(int line);

typedef void plugging(counting *count, unsigned seed);

static inline unsigned next(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 16;
}

#endif
