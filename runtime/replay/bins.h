/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A timeline in bins, for a view from afar: pomp_clang/report/page/timeline/bins.py. */
#ifndef POMP_REPLAY_BINS_H
#define POMP_REPLAY_BINS_H

#include "columns.h"

/* Intervals' call paths and activities, of which there are `activities`.  A pair is
 * path * activities + activity. */
struct pomp_pairs {
  uint64_t count;
  const int32_t *path;
  const uint8_t *activity;
  uint64_t activities;
};

/* Marks the pairs that occur. */
POMP_REPLAY_EXPORT void pomp_mark_pairs(const struct pomp_pairs *of, uint8_t *marks);

/* Fills in the state of each interval, of which `number` has one for each pair. */
POMP_REPLAY_EXPORT void pomp_number_pairs(const struct pomp_pairs *of, const uint32_t *number,
                                          uint32_t *state);

/* The number of bins of a level in one of the next coarser level. */
enum { POMP_BIN_FACTOR = 4 };

/* Bins of a width.  Result: `most` has for each bin and side the state with most time, or
 * POMP_NO_STATE.  Room: `bin` is the one that is being filled, and `met` its `met_count` states;
 * `spent` has a row for each state, and is 0. */
struct pomp_bin_level {
  uint32_t *most;
  uint64_t bin;
  uint64_t *spent;
  uint32_t *met;
  uint64_t met_count;
};

/* Intervals in time order, each up to the begin of the next.  Each state belongs to a group, and to
 * one of two sides: 0 work, 1 the rest.  The finest level comes first; its bin i, of at least one,
 * begins at `start` + i * `width`.  Result: `ticks` has a row of groups for each bin of the finest
 * level. */
struct pomp_binning {
  uint64_t count;
  const int64_t *begin;
  const uint32_t *state;
  int64_t end;
  uint64_t states;
  const uint8_t *group;
  const uint8_t *side;
  uint64_t groups;
  int64_t start;
  int64_t width;
  uint64_t bins;
  uint64_t *ticks;
  uint64_t levels;
  struct pomp_bin_level *level;
};

#define POMP_NO_STATE UINT32_MAX

POMP_REPLAY_EXPORT void pomp_bins(const struct pomp_binning *of);

#endif
