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
