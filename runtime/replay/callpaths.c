/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "callpaths.h"

#include <stdbool.h>

static bool is_within(const struct pomp_callpaths *paths, unsigned path, int64_t region) {
  for (; path; path = paths->above[path]) {
    if (paths->region[path] == region)
      return true;
    if (paths->task[path])
      return false;
  }
  return false;
}

unsigned pomp_path_below(struct pomp_callpaths *paths, unsigned above, int64_t region, bool task) {
  uint64_t hash = ((uint64_t)region << 17 | (uint64_t)above << 1 | task) * 0x9e3779b97f4a7c15u;
  uint64_t place = (hash >> 32) & (paths->places - 1);
  for (uint32_t path; (path = paths->index[place]); place = (place + 1) & (paths->places - 1))
    if (paths->above[path] == above && paths->region[path] == region && paths->task[path] == task)
      return path;
  if (paths->count >= paths->room)
    return 0;
  unsigned path = (unsigned)++paths->count;
  paths->index[place] = path;
  paths->above[path] = (uint16_t)above;
  paths->region[path] = region;
  paths->task[path] = task;
  paths->recurs[path] = is_within(paths, above, region);
  return path;
}
