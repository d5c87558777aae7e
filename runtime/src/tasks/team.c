/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tasks/team.h"

#include "location/thread.h"
#include "system/init_lock.h"

static struct pomp_team *make_team(void) {
  struct pomp_team *team = NULL;
  if (pomp_init_lock()) {
    team = pomp_private(sizeof *team);
    pomp_init_unlock();
  }
  return team;
}

struct pomp_team *pomp_team_take(struct pomp_thread *master) {
  struct pomp_team *team = master->unused_teams;
  if (team)
    master->unused_teams = team->next_unused;
  else
    team = make_team();
  return team;
}

/* The serial comes last: a thread that has loaded it finds the rest stored. */
void pomp_team_open(struct pomp_team *team, struct pomp_thread *master) {
  uint64_t serial = ((uint64_t)master->location->id + 1) << 40 | ++master->forks;
  team->master = master;
  team->before = master->location->joined;
  atomic_store_explicit(&team->serial, serial, memory_order_release);
}

void pomp_team_give_back(struct pomp_thread *master, struct pomp_team *team) {
  team->next_unused = master->unused_teams;
  master->unused_teams = team;
}
