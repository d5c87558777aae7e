/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A timeline in bins, for a view from afar: pomp_clang/report/page/timeline/bins.py. */
#ifndef POMP_REPLAY_BINS_H
#define POMP_REPLAY_BINS_H

#include "columns.h"

/* Intervals in time order, each up to the begin of the next.  Each state belongs to a group, and to
 * one of two sides: 0 work, 1 the rest.  Bin i begins at `start` + i * `width`.  Results: `ticks`
 * has a row of groups for each bin; `most` has for each bin and side the state with most time, or
 * POMP_NO_STATE.  `spent` and `met` are room for each state; `spent` is 0. */
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
  uint32_t *most;
  uint64_t *spent;
  uint32_t *met;
};

#define POMP_NO_STATE UINT32_MAX

POMP_REPLAY_EXPORT void pomp_bins(const struct pomp_binning *of);

#endif
