/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The state of a member that has left its team's region, and how its time is booked. */
#ifndef POMP_LEFT_TEAM_H
#define POMP_LEFT_TEAM_H

#include "location/thread.h"

/* The member has time to book, whether its team was joined or not. */
static inline bool pomp_has_team_exit(struct pomp_thread *t) {
  return atomic_load_explicit(&t->team_exit.serial, memory_order_relaxed) != 0;
}

/* The time that the member has to book, for this team, is not booked yet. */
static inline bool pomp_team_exit_is_open(struct pomp_thread *t, uint64_t serial) {
  return atomic_load_explicit(&t->team_exit.serial, memory_order_acquire) == serial;
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

/* The member begins a task after the join of its team, and before it begins in another one: the
 * runtime lets it run tasks of the team that it waits for.  A trace says so, as its task is not of
 * the team that it left. */
void pomp_team_exit_trace_known(struct pomp_thread *t, uint64_t now);

/* Returns the end of the member's last task in the barrier, if no event reported it; 0 if there is
 * no such task.  The task was cancelled, or went on elsewhere, after the member's newest event. */
uint64_t pomp_team_exit_end_of_lost(const struct pomp_thread *t, uint64_t now);

/* A member's team was joined: it was there until now, whatever its newest event. */
static inline void pomp_team_exit_let_go(struct pomp_thread *t, uint64_t now) {
  if (__atomic_load_n(&t->location->cut_since, __ATOMIC_RELAXED) < now)
    __atomic_store_n(&t->location->cut_since, now, __ATOMIC_RELAXED);
}

/* Books the time of a member that left, up to the join. */
void pomp_team_exit_book(struct pomp_thread *t, const struct pomp_join *join);

/* Books the member's waiting, and returns false if another thread has done so. */
bool pomp_team_exit_claim(struct pomp_thread *t, const struct pomp_join *join);

/* A join is written by its master, and read by members, and by who settles for them. */
static inline void pomp_join_write(struct pomp_join *to, const struct pomp_join *join) {
  __atomic_store_n(&to->team, 0, __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  __atomic_store_n(&to->when, join->when, __ATOMIC_RELAXED);
  __atomic_store_n(&to->assembled, join->assembled, __ATOMIC_RELAXED);
  __atomic_store_n(&to->team, join->team, __ATOMIC_RELEASE);
}

/* The member leaves the region, whose row this is, now, and waits since then if that is known.
 * What it leaves can be booked after pomp_team_exit_publish. */
static inline void pomp_team_exit_leave(struct pomp_thread *t, uint64_t *slot, uint64_t waits,
                                        uint64_t now) {
  atomic_store_explicit(&t->team_exit.newest, now, memory_order_relaxed);
  atomic_store_explicit(&t->team_exit.open, 0, memory_order_relaxed);
  atomic_store_explicit(&t->team_exit.since, now, memory_order_relaxed);
  atomic_store_explicit(&t->team_exit.waits, waits, memory_order_relaxed);
  atomic_store_explicit(&t->team_exit.tasks, 0, memory_order_relaxed);
  atomic_store_explicit(&t->team_exit.slot, slot, memory_order_relaxed);
}

static inline void pomp_team_exit_publish(struct pomp_thread *t, uint64_t serial) {
  atomic_store_explicit(&t->team_exit.serial, serial, memory_order_release);
  atomic_store_explicit(&t->team_exit.left, serial, memory_order_release);
}

/* From the file of a program that was killed, a reader learns that the location is waiting. */
static inline void pomp_team_exit_arrive(struct pomp_thread *t, uint32_t path, uint64_t serial,
                                         uint64_t now) {
  t->location->arrived_path = path;
  t->location->arrived_since = now;
  t->location->arrived_tasks = 0;
  __atomic_store_n(&t->location->arrived, serial, __ATOMIC_RELEASE);
}

/* The region's row. */
static inline uint64_t *pomp_team_exit_row(struct pomp_thread *t) {
  return atomic_load_explicit(&t->team_exit.slot, memory_order_relaxed);
}

#endif
