/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* libomp's calls for the next chunk of a loop (openmp/runtime/src/kmp_dispatch.cpp). */
#include "events/chunks.h"
#include "events/wrapped_routine.h"

#define NEXT(name, type, signed_type)                                                              \
  POMP_DECLARE_BEHIND(int, name, void *where, int gtid, int *last, type *lower, type *upper,       \
                      signed_type *stride);                                                        \
  int POMP_WRAPS(name)(void *where, int gtid, int *last, type *lower, type *upper,                 \
                       signed_type *stride);                                                       \
  int POMP_WRAPS(name)(void *where, int gtid, int *last, type *lower, type *upper,                 \
                       signed_type *stride)                                                        \
      POMP_CHUNK(POMP_BEHIND(name)(where, gtid, last, lower, upper, stride))

NEXT(__kmpc_dispatch_next_4, int32_t, int32_t)
NEXT(__kmpc_dispatch_next_4u, uint32_t, int32_t)
NEXT(__kmpc_dispatch_next_8, int64_t, int64_t)
NEXT(__kmpc_dispatch_next_8u, uint64_t, int64_t)
