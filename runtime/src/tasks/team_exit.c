/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tasks/team_exit.h"

#include "location/service.h"
#include "tasks/close.h"
#include "tasks/left_team.h"
#include "tasks/team.h"

void pomp_team_exits_settle(void) {
  struct pomp_thread *t = atomic_load_explicit(&pomp_threads, memory_order_acquire);
  for (; t; t = t->next)
    pomp_team_exit_settles(t);
}

void pomp_team_exit_end(struct pomp_thread *t, const struct pomp_join *newest, uint64_t now) {
  uint64_t serial = atomic_load_explicit(&t->team_exit.serial, memory_order_relaxed);
  if (serial && newest && newest->team == serial) {
    pomp_team_exit_book(t, newest);
  } else if (serial && !pomp_team_exit_settles(t)) {
    struct pomp_join none = {.team = serial, .when = now};
    if (pomp_team_exit_claim(t, &none) && pomp_traces)
      pomp_trace_put_value(t, POMP_TRACE_DEPARTED, 0, now, serial);
  }
  t->location->arrived = 0;
}

/* A member that was canceled, or jumped: what it left open is its own to close. */
static void cut_off(struct pomp_thread *t, uint64_t serial, uint64_t now) {
  pomp_team_exit_let_go(t, now);
  __atomic_store_n(&t->location->cut, serial, __ATOMIC_RELEASE);
}

void pomp_team_exits_assembled(struct pomp_thread *t, struct pomp_frame *f, uint64_t when) {
  struct pomp_team *team = (struct pomp_team *)(uintptr_t)f->team;
  pomp_phase(t, f, POMP_SHUTDWN_T, when);
  team->assembled = when;
  if (pomp_traces)
    pomp_trace_put_value(t, POMP_TRACE_ASSEMBLED, 0, when,
                         atomic_load_explicit(&team->serial, memory_order_relaxed));
}

static void end_member(struct pomp_thread *t, const struct pomp_join *join,
                       const struct pomp_join *before, bool later) {
  uint64_t begun = atomic_load_explicit(&t->team_exit.begun, memory_order_acquire);
  uint64_t left = atomic_load_explicit(&t->team_exit.left, memory_order_acquire);
  if (left && left == before->team && pomp_team_exit_is_open(t, left))
    pomp_team_exit_book(t, before);
  if (begun != join->team)
    return;
  if (left != join->team)
    cut_off(t, join->team, join->when);
  else if (!later)
    pomp_team_exit_book(t, join);
}

/* Having loaded what every member stored when it began, the master may use the team's
 * storage again: also where they were cancelled. */
void pomp_team_exits_end(struct pomp_thread *master, const struct pomp_join *join, bool later) {
  struct pomp_join *newest = &master->location->joined, none = {0};
  struct pomp_thread *t = atomic_load_explicit(&pomp_threads, memory_order_acquire);
  for (; t; t = t->next)
    end_member(t, join, later ? newest : &none, later);
  if (later)
    pomp_join_write(newest, join);
}

static bool is_of_team(const struct pomp_frame *f, uint64_t serial) {
  return f->kind == POMP_FRAME_PARALLEL && !(f->flags & POMP_FRAME_MASTER) && f->team == serial;
}

/* Frames that a team left open ended when the team was joined, if the join was reported, and not
 * before the newest event.  A task that began before the join ended with it. */
uint64_t pomp_team_exit_end_of_cut(struct pomp_thread *t, uint64_t now) {
  const struct pomp_stack_record *r = t->stack->record;
  if (!r->depth)
    return now;
  uint64_t serial = __atomic_load_n(&t->location->cut, __ATOMIC_ACQUIRE);
  uint64_t since = __atomic_load_n(&t->location->cut_since, __ATOMIC_RELAXED);
  uint64_t last = t->location->last;
  if (r->frames->kind == POMP_FRAME_TASK && r->frames->start <= since)
    since = last;
  else if (!serial || !is_of_team(r->frames, serial))
    return now;
  since = since < last ? last : since;
  return since < now ? since : now;
}

/* Members were in the same barrier as the master: what they stored before is there to load. */
uint64_t pomp_team_exits_newest(uint64_t serial, uint64_t since, uint64_t now) {
  struct pomp_thread *t = atomic_load_explicit(&pomp_threads, memory_order_acquire);
  for (; t; t = t->next)
    if (atomic_load_explicit(&t->team_exit.left, memory_order_acquire) == serial) {
      uint64_t newest = atomic_load_explicit(&t->team_exit.newest, memory_order_relaxed);
      uint64_t lost = pomp_team_exit_end_of_lost(t, now);
      newest = lost > newest ? lost : newest;
      since = newest > since ? newest : since;
    }
  return since;
}

void pomp_team_leave(struct pomp_thread *t, struct pomp_frame *f, bool arrives, uint64_t now) {
  uint64_t serial = f->flags & POMP_FRAME_MUTED ? 0 : f->team;
  uint64_t *slot = (uint64_t *)(uintptr_t)f->slot;
  bool told = f->flags & POMP_FRAME_TOLD;
  uint64_t waited = t->waited;
  t->waited = 0;
  if (serial)
    pomp_trace_frame(t, f, POMP_TRACE_DEPARTS, now);
  pomp_close_top(t, now);
  if (!serial)
    return;
  pomp_team_exit_end(t, NULL, now);
  pomp_team_exit_leave(t, slot, arrives ? now : 0, now);
  atomic_store_explicit(&t->team_exit.waited, waited, memory_order_relaxed);
  t->team_exit.told = told;
  pomp_team_exit_publish(t, serial);
  if (arrives)
    pomp_team_exit_arrive(t, pomp_path_of(slot), serial, now);
  if (arrives && pomp_traces)
    pomp_trace_put(t, POMP_TRACE_WAITS, 0, now);
}

void pomp_team_exit_waits(struct pomp_thread *t) {
  if (!pomp_has_left_team(t) || !t->team_exit.told)
    return;
  t->team_exit.told = false;
  uint64_t now = pomp_now();
  t->location->last = now;
  if (pomp_traces)
    pomp_trace_put(t, POMP_TRACE_WAITS, 0, now);
  atomic_store_explicit(&t->team_exit.waits, now, memory_order_relaxed);
}

static void leave(struct pomp_thread *t, uint64_t now) {
  pomp_team_exit_settles(t);
  pomp_close_all(t, pomp_team_exit_end_of_cut(t, now));
}

static void restart(struct pomp_thread *t, bool lives, uint64_t now) {
  (void)lives, (void)now;
  t->team_exit.serial = t->team_exit.left = t->team_exit.begun = t->team_exit.known = 0;
  t->team_exit.bookers = 0;
}

const struct pomp_service pomp_team_exit_service = {.leave = leave, .restart = restart};
