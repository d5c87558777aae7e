/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Members that have left their team's region, and what becomes of their time until the
 * master tells that the team was joined. */
#ifndef POMP_TEAM_EXIT_H
#define POMP_TEAM_EXIT_H

#include "profile/stack.h"

/* The calling member leaves the region of a team; its frame is the one at the top.  `arrives` if
 * the barrier at the region's end begins for the member with that. */
void pomp_team_leave(struct pomp_thread *t, struct pomp_frame *f, bool arrives, uint64_t now);

/* Return when the last member arrived in the barrier at the region's end, or ended the last task
 * that ran in there, for members that arrived since `since`.  The master is at the join now. */
uint64_t pomp_team_exits_newest(uint64_t serial, uint64_t since, uint64_t now);

/* The calling thread books what it has left to book.  `newest` is the end of the newest team of a
 * master, or NULL.  A team whose master did not get to its join has ended `now`. */
void pomp_team_exit_end(struct pomp_thread *t, const struct pomp_join *newest, uint64_t now);

/* The master is at the join.  `later` if the members that arrived book their time themselves. */
void pomp_team_exits_end(struct pomp_thread *master, const struct pomp_join *join, bool later);

/* Book what members have left to book of teams that were joined. */
void pomp_team_exits_settle(void);

/* The team of the master's frame was assembled in the barrier at its region's end. */
void pomp_team_exits_assembled(struct pomp_thread *t, struct pomp_frame *f, uint64_t when);

/* Returns when what the calling thread has still open ended with its team, `now` at the latest. */
uint64_t pomp_team_exit_end_of_cut(struct pomp_thread *t, uint64_t now);

/* The calling member is in the barrier at the region's end. */
void pomp_team_exit_waits(struct pomp_thread *t);

#endif
