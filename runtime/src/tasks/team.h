/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef POMP_TEAM_H
#define POMP_TEAM_H

#include "location/thread.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* From a fork to its join.  Storage of the master's; a member keeps only the
 * serial number beyond its own begin.  Members read the first cache line only. */
struct pomp_team {
  _Alignas(64) _Atomic uint64_t serial; /* unique in the process, never 0; hands over the rest */
  uint64_t fork;                        /* ticks */
  struct pomp_thread *master;
  uint32_t path; /* the call path of the fork */
  bool muted;
  bool follows_serial;             /* its master was in no other parallel region */
  struct pomp_join before;         /* the master's newest team before this one */
  _Alignas(64) uint64_t assembled; /* ticks: all were in the barrier at its end; 0: unknown */
  uint64_t waited;                 /* ticks: the master, in a barrier before that */
  struct pomp_team *next_unused;
};

struct pomp_team *pomp_team_take(struct pomp_thread *master);

/* The serial comes last: a thread that has loaded it finds the rest stored. */
static inline void pomp_team_open(struct pomp_team *team, struct pomp_thread *master) {
  uint64_t serial = ((uint64_t)master->location->id + 1) << 40 | ++master->forks;
  team->master = master;
  team->before = master->location->joined;
  atomic_store_explicit(&team->serial, serial, memory_order_release);
}

static inline void pomp_team_give_back(struct pomp_thread *master, struct pomp_team *team) {
  team->next_unused = master->unused_teams;
  master->unused_teams = team;
}

#endif
