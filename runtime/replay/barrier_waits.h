/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Waits in barriers: pomp_clang/causes/timeline/barriers.py. */
#ifndef POMP_REPLAY_BARRIER_WAITS_H
#define POMP_REPLAY_BARRIER_WAITS_H

#include "columns.h"

/* Arrivals of a location, at `enter`, each at an `instance`; it began to wait for the last time at
 * `final`.  Keeps the latest moments of each instance, and their locations: of two that are alike,
 * the first. */
struct pomp_meeting {
  uint64_t count;
  uint64_t location;
  const int64_t *instance;
  const int64_t *enter;
  const int64_t *final;
  int64_t *last;
  int32_t *last_location;
  int64_t *done;
  int32_t *done_location;
};

POMP_REPLAY_EXPORT void pomp_meet(const struct pomp_meeting *run);

/* Waits from `begin` to `end`, each of an `arrival`, and the `instance` of each arrival.  `until`
 * and `since` are moments of instances: a wait ends at the first and begins at the second, which
 * may be NULL.  Adds to the `ticks` of each arrival. */
struct pomp_waiting {
  uint64_t count;
  const int64_t *begin;
  const int64_t *end;
  const int32_t *arrival;
  const int64_t *instance;
  const int64_t *until;
  const int64_t *since;
  int64_t *ticks;
};

POMP_REPLAY_EXPORT void pomp_add_waits(const struct pomp_waiting *run);

#endif
