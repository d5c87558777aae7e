/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef POMP_TEAM_H
#define POMP_TEAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct pomp_thread;

/* From a fork to its join.  Storage of the master's; a member keeps only the
 * serial number beyond its own begin. */
struct pomp_team {
  _Atomic uint64_t serial; /* unique in the process, never 0; hands the rest to the members */
  uint64_t fork;           /* ticks */
  struct pomp_thread *master;
  uint32_t path; /* the call path of the fork */
  bool muted;
  uint64_t assembled; /* ticks: all were in the barrier at the region's end; 0: unknown */
  uint64_t waited;    /* ticks: the master, in a barrier before that */
  struct pomp_team *next_unused;
};

struct pomp_team *pomp_team_take(struct pomp_thread *master);
void pomp_team_open(struct pomp_team *team, struct pomp_thread *master);
void pomp_team_give_back(struct pomp_thread *master, struct pomp_team *team);

#endif
