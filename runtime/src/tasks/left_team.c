/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tasks/left_team.h"

#include "system/unsanitized.h"
#include "trace/trace.h"

static void add(uint64_t *slot, enum pomp_column column, uint64_t ticks, bool shares) {
  if (ticks && shares)
    __atomic_fetch_add(slot + column, ticks, __ATOMIC_RELAXED);
  else
    slot[column] += ticks;
}

POMP_UNSANITIZED static uint64_t newest_event(const struct pomp_thread *t) {
  return __atomic_load_n(&t->location->last, __ATOMIC_RELAXED);
}

uint64_t pomp_team_exit_end_of_lost(const struct pomp_thread *t, uint64_t now) {
  uint64_t begin = atomic_load_explicit(&t->team_exit.open, memory_order_relaxed);
  uint64_t last = begin ? newest_event(t) : 0;
  last = last < begin ? begin : last;
  return last < now ? last : now;
}

/* Books the member's waiting, unless another thread has done so.  The member was in the barrier
 * until all members were; its time there is waiting, except for the tasks that it ran. */
static bool book(struct pomp_thread *t, const struct pomp_join *join) {
  struct pomp_team_exit *left = &t->team_exit;
  uint64_t serial = join->team, now = join->when;
  uint64_t since = atomic_load_explicit(&left->since, memory_order_relaxed);
  uint64_t waits = atomic_load_explicit(&left->waits, memory_order_relaxed);
  uint64_t tasks = atomic_load_explicit(&left->tasks, memory_order_relaxed);
  uint64_t again = atomic_load_explicit(&left->waited, memory_order_relaxed);
  uint64_t begin = atomic_load_explicit(&left->open, memory_order_relaxed);
  uint64_t *slot = atomic_load_explicit(&left->slot, memory_order_relaxed);
  tasks += pomp_elapsed(begin, pomp_team_exit_end_of_lost(t, now));
  if (!atomic_compare_exchange_strong(&left->serial, &serial, 0))
    return false;
  uint64_t waited = waits ? pomp_elapsed(waits, join->assembled) : 0;
  uint64_t took = pomp_elapsed(since, now);
  bool shares = atomic_load_explicit(&left->bookers, memory_order_acquire);
  add(slot, POMP_AGAIN_T, again < took ? again : took, shares);
  add(slot, POMP_TASK_T, tasks, shares);
  add(slot, POMP_EXIT_BAR_T, pomp_elapsed(tasks, waited), shares);
  add(slot, POMP_SHUTDWN_T, pomp_elapsed(waited > tasks ? waited : tasks, took), shares);
  add(slot, POMP_EXEC_T, took, shares);
  return true;
}

/* The member shares its rows from before `serial` is 0 until all is booked. */
static bool book_for_another(struct pomp_thread *t, const struct pomp_join *join) {
  atomic_fetch_add(&t->team_exit.bookers, 1);
  bool booked = book(t, join);
  atomic_fetch_sub_explicit(&t->team_exit.bookers, 1, memory_order_release);
  return booked;
}

bool pomp_team_exit_claim(struct pomp_thread *t, const struct pomp_join *join) {
  return t == pomp_self ? book(t, join) : book_for_another(t, join);
}

void pomp_team_exit_book(struct pomp_thread *t, const struct pomp_join *join) {
  if (atomic_load_explicit(&t->team_exit.waits, memory_order_relaxed) ||
      pomp_team_exit_end_of_lost(t, join->when))
    pomp_team_exit_let_go(t, join->when);
  pomp_team_exit_claim(t, join);
}

void pomp_team_exit_trace_known(struct pomp_thread *t, uint64_t now) {
  uint64_t left = atomic_load_explicit(&t->team_exit.left, memory_order_relaxed);
  if (left == t->team_exit.known)
    return;
  t->team_exit.known = left;
  pomp_trace_put_value(t, POMP_TRACE_DEPARTED, 0, now, 0);
}

/* Returns false if the member's team is not its master's newest one, or was not joined. */
static bool read_join(const struct pomp_thread *t, uint64_t serial, struct pomp_join *join) {
  const struct pomp_thread *master =
      atomic_load_explicit(&t->team_exit.master, memory_order_relaxed);
  const struct pomp_join *from = &master->location->joined;
  join->team = __atomic_load_n(&from->team, __ATOMIC_ACQUIRE);
  join->when = __atomic_load_n(&from->when, __ATOMIC_RELAXED);
  join->assembled = __atomic_load_n(&from->assembled, __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  return join->team == serial && __atomic_load_n(&from->team, __ATOMIC_RELAXED) == serial;
}

bool pomp_team_exit_settles(struct pomp_thread *t) {
  uint64_t serial = atomic_load_explicit(&t->team_exit.serial, memory_order_acquire);
  struct pomp_join join;
  bool is_joined = serial && read_join(t, serial, &join);
  if (is_joined)
    pomp_team_exit_book(t, &join);
  return is_joined;
}
