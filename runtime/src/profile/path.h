/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Call paths: a region below another call path; path 0 is the root.
 *
 * A location has a row of sums for each call path that it was on.  A row remembers the row of the
 * region that was entered last below it, and that one the row that was entered after it: mostly one
 * of the two is entered next. */
#ifndef POMP_PATH_H
#define POMP_PATH_H

#include "location/thread.h"

/* Beyond half of these, or this deep, a region is booked below the root. */
#define POMP_MOST_PATHS (1u << 16)
#define POMP_MOST_DEPTH 128

/* Returns the row of a region below another path's row, if pomp_expected_below has
 * none. */
uint64_t *pomp_path_child(struct pomp_thread *t, uint64_t *above, uint32_t region);

/* Returns the row of a task below the path that created it, on whichever location that was.
 * Recursion makes no more paths: a task created in a task of the same region has that task's path.
 * A task created where a task's function was entered again has a path beside that task's.  NULL if
 * there is no such path. */
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
  uint64_t *row = pomp_expected_below(above, region);
  return row ? row : pomp_path_child(t, above, region);
}

#endif
