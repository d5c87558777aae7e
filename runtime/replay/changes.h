/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Several changes of the same durations: pomp_clang/causes/what_if/predict_gain.py. */
#ifndef POMP_REPLAY_CHANGES_H
#define POMP_REPLAY_CHANGES_H

#include "columns.h"
#include "ticks.h"

/* `sum` is what all changes together make of `same`, at least 0. */
struct pomp_changes {
  uint64_t count;
  struct pomp_ticks same;
  uint64_t changes;
  const struct pomp_ticks *changed;
  double *sum;
};

POMP_REPLAY_EXPORT void pomp_add_changes(const struct pomp_changes *run);

#endif
