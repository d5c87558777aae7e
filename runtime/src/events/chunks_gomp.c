/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* libgomp's calls for the first and the next chunk of a loop (libgomp/loop.c, loop_ull.c). */
#include "events/chunks.h"
#include "events/wrapped_routine.h"

#include <stdbool.h>

typedef unsigned long long ull;

#define AROUND(name, parameters, arguments)                                                        \
  POMP_DECLARE_BEHIND(bool, name, parameters);                                                     \
  bool POMP_WRAPS(name)(parameters);                                                               \
  bool POMP_WRAPS(name)(parameters) POMP_CHUNK(POMP_BEHIND(name)(arguments))

#define LIST(...) __VA_ARGS__
#define NEXT(how)                                                                                  \
  AROUND(GOMP_loop_##how##_next, LIST(long *lower, long *upper), LIST(lower, upper))               \
  AROUND(GOMP_loop_ull_##how##_next, LIST(ull *lower, ull *upper), LIST(lower, upper))
#define START(how)                                                                                 \
  AROUND(GOMP_loop_##how##_start,                                                                  \
         LIST(long from, long to, long step, long chunk, long *lower, long *upper),                \
         LIST(from, to, step, chunk, lower, upper))                                                \
  AROUND(GOMP_loop_ull_##how##_start,                                                              \
         LIST(bool up, ull from, ull to, ull step, ull chunk, ull *lower, ull *upper),             \
         LIST(up, from, to, step, chunk, lower, upper))
#define START_AT_RUN_TIME(how)                                                                     \
  AROUND(GOMP_loop_##how##_start, LIST(long from, long to, long step, long *lower, long *upper),   \
         LIST(from, to, step, lower, upper))                                                       \
  AROUND(GOMP_loop_ull_##how##_start,                                                              \
         LIST(bool up, ull from, ull to, ull step, ull *lower, ull *upper),                        \
         LIST(up, from, to, step, lower, upper))

NEXT(dynamic)
NEXT(guided)
NEXT(runtime)
NEXT(nonmonotonic_dynamic)
NEXT(nonmonotonic_guided)
NEXT(nonmonotonic_runtime)
NEXT(maybe_nonmonotonic_runtime)
START(dynamic)
START(guided)
START(nonmonotonic_dynamic)
START(nonmonotonic_guided)
START_AT_RUN_TIME(runtime)
START_AT_RUN_TIME(nonmonotonic_runtime)
START_AT_RUN_TIME(maybe_nonmonotonic_runtime)
