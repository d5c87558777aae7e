/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The state of a member that has left its team's region, and how its time is booked. */
#ifndef POMP_LEFT_TEAM_H
#define POMP_LEFT_TEAM_H

#include "location/thread.h"

/* The member has time to book, whether its team was joined or not. */
static inline bool pomp_has_team_exit(struct pomp_thread *t) {
  return atomic_load_explicit(&t->team_exit.serial, memory_order_relaxed) != 0;
}

/* Books the member's time if its team was joined, and returns true then. */
bool pomp_team_exit_settles(struct pomp_thread *t);

static inline bool pomp_has_left_team(struct pomp_thread *t) {
  return pomp_has_team_exit(t) && !pomp_team_exit_settles(t);
}

/* The member runs a task in the barrier from now on. */
static inline void pomp_team_exit_task_begins(struct pomp_thread *t, uint64_t now) {
  atomic_store_explicit(&t->team_exit.open, now, memory_order_relaxed);
}

/* The member's task in the barrier has ended now. */
static inline void pomp_team_exit_task_ends(struct pomp_thread *t, uint64_t ticks, uint64_t now) {
  atomic_store_explicit(&t->team_exit.open, 0, memory_order_relaxed);
  atomic_fetch_add_explicit(&t->team_exit.tasks, ticks, memory_order_relaxed);
  atomic_store_explicit(&t->team_exit.newest, now, memory_order_relaxed);
  t->location->arrived_tasks += ticks;
}

/* Returns the end of the member's last task in the barrier, if no event reported it; 0 if there is
 * no such task.  The task was cancelled, or went on elsewhere, after the member's newest event. */
uint64_t pomp_team_exit_end_of_lost(const struct pomp_thread *t, uint64_t now);

/* A member's team was joined: it was there until now, whatever its newest event. */
void pomp_team_exit_let_go(struct pomp_thread *t, uint64_t now);

/* Books the time of a member that left, up to the join. */
void pomp_team_exit_book(struct pomp_thread *t, const struct pomp_join *join);

/* Books the member's waiting, and returns false if another thread has done so. */
bool pomp_team_exit_claim(struct pomp_thread *t, const struct pomp_join *join);

/* Writes a join, which members read. */
void pomp_join_write(struct pomp_join *to, const struct pomp_join *join);

/* The region's row. */
static inline uint64_t *pomp_team_exit_row(struct pomp_thread *t) {
  return atomic_load_explicit(&t->team_exit.slot, memory_order_relaxed);
}

#endif
