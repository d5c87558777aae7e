/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Searches in sorted columns: pomp_clang/causes/timeline/columns.py. */
#ifndef POMP_REPLAY_SEARCH_H
#define POMP_REPLAY_SEARCH_H

#include "columns.h"

/* Writes for each of the numbers how many of the `ordered` ones are less than it, or with `equal`
 * how many are not larger.  It takes little time if each number is close to the one before. */
struct pomp_searching {
  uint64_t count;
  const int64_t *ordered;
  uint64_t numbers;
  const int64_t *number;
  uint64_t equal;
  int64_t *rows;
};

POMP_REPLAY_EXPORT void pomp_search(const struct pomp_searching *run);

/* Moments of locations in the order of time.  `before` is the newest row before each that is of
 * another location, -1 if there is none. */
struct pomp_moments {
  uint64_t count;
  const int64_t *time;
  const int32_t *location;
  int32_t *before;
};

/* Makes `before`. */
POMP_REPLAY_EXPORT void pomp_link_moments(const struct pomp_moments *moments);

/* Writes for each wait of a location the row of the newest moment of another one before its `end`,
 * or at it; -1 if there is none after its `begin`. */
struct pomp_awaiting {
  struct pomp_moments of;
  int64_t location;
  uint64_t waits;
  const int64_t *begin;
  const int64_t *end;
  int32_t *rows;
};

POMP_REPLAY_EXPORT void pomp_find_awaited(const struct pomp_awaiting *run);

#endif
