/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Call paths: a region below another call path, of which 0 is the root.
 *
 * A location has a row of sums for each call path that it was on.  Where that of a region is,
 * the row of the path above remembers: the region that it met last is mostly met again. */
#ifndef POMP_PATH_H
#define POMP_PATH_H

#include "thread.h"

/* Of the row that takes what is not to be booked: no descriptor's. */
#define POMP_NO_REGION UINT64_C(0xffffffff)

/* Beyond half of these, or this deep, a region is booked below the root. */
#define POMP_MOST_PATHS (1u << 16)
#define POMP_MOST_DEPTH 128

/* The row of a region below that of another path, if it was not the newest there. */
uint64_t *pomp_path_child(struct pomp_thread *t, uint64_t *above, uint32_t region);

/* The row of a task that was made on a path, by any location: below that.  Recursion makes no
 * more paths: a task that was made in another of its region is on that one's path, and one
 * that was made where a task's function was entered again, in that task, beside that one.
 * NULL when there is no such path. */
uint64_t *pomp_path_task(struct pomp_thread *t, uint32_t creation, uint32_t region);

/* The location's row of a path that another location made. */
uint64_t *pomp_path_row(struct pomp_thread *t, uint32_t path);

/* The row of the same region below the root, where it is noted which visit is the outermost. */
uint64_t *pomp_path_outermost(struct pomp_thread *t, uint64_t *row);

static inline uint32_t pomp_path_of(const uint64_t *row) { return (uint32_t)row[POMP_SELF]; }

static inline uint32_t pomp_region_of(const uint64_t *row) {
  return (uint32_t)(row[POMP_SELF] >> 32);
}

static inline uint64_t *pomp_below(struct pomp_thread *t, uint64_t *above, uint32_t region) {
  uint64_t *child = (uint64_t *)(uintptr_t)above[POMP_CHILD];
  if (__builtin_expect(pomp_region_of(child) == region, 1))
    return child;
  return pomp_path_child(t, above, region);
}

#endif
