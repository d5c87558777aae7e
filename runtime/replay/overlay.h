/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Intervals laid over a thread's timeline: pomp_clang/causes/run/overlay_kernel.py. */
#ifndef POMP_REPLAY_OVERLAY_H
#define POMP_REPLAY_OVERLAY_H

#include "columns.h"

/* The timeline as begins, call paths and codes of activities, the last interval up to `end`.  Each
 * of `laid` intervals, from `since` to `until`, has its call path and the activity `laid_doing`
 * where the timeline has `over`.  The result has room for twice as many more rows as there may be
 * overlaps. */
struct pomp_overlaying {
  uint64_t count;
  const int64_t *begin;
  const int32_t *path;
  const uint8_t *doing;
  int64_t end;
  uint64_t laid;
  const int64_t *since;
  const int64_t *until;
  const int64_t *laid_path;
  uint64_t laid_doing;
  uint64_t over;
  int64_t *new_begin;
  int32_t *new_path;
  uint8_t *new_doing;
};

/* Returns the number of rows of the result, or UINT64_MAX if intervals are not in order. */
POMP_REPLAY_EXPORT uint64_t pomp_overlay(const struct pomp_overlaying *run);

#endif
