/* Declarations shared by the program and its libraries. */
#ifndef STRESS_H
#define STRESS_H

/* Features on which libomp 19 itself fails. It hangs if only some of a team cancel a construct,
 * aborts at tasks below an undeferred one, and sometimes hangs if a taskyield runs tasks that wait
 * for others. */
#ifdef __clang__
#define CANCELS 1
#define DEFERRED 1
#else
#define CANCELS (omp_get_thread_num() == 0)
#define DEFERRED (next(&state) % 4)
#endif

/* A thread reached the construct that begins on this line. */
typedef void counting(int line);

typedef void plugging(counting *count, unsigned seed);

static inline unsigned next(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 16;
}

#endif
