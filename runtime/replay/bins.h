/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a time line is from afar: pomp_clang/report/presenter/timeline/bins.py. */
#ifndef POMP_REPLAY_BINS_H
#define POMP_REPLAY_BINS_H

#include "columns.h"

/* Stretches in the order of time, each up to the next one's begin; what each state is a part of
 * is its group, and on which of two sides it is looked for: 0 work, 1 the rest.  Bin i is from
 * `start` + i * `width` on.  `ticks` has a row of groups for each bin, `most` on each side the
 * state that the bin has most of, POMP_NO_STATE where there is none.  `spent` has room for each
 * state, all 0, `met` too. */
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
