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

#endif
