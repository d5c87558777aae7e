/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The short way of the events of a parallel region: of its end and join only if members record
 * their arrival in the barrier at its end (POMP_ARRIVAL).
 *
 * The thread measures: its clock is the counter, and nothing is muted or counted in addition;
 * `records` is true where the event is recorded, too.  False: nothing was done, and the event takes
 * the long way, which handles every case. */
#ifndef POMP_FAST_PARALLEL_H
#define POMP_FAST_PARALLEL_H

#include "events/event.h"
#include "system/cache_line.h"
#include "tasks/left_team.h"
#include "tasks/team.h"

/* A frame's kind, phase and flags, all in one word: of the fork, of the master's region, and of
 * another member's. */
#define FORKED pomp_state_of(POMP_FRAME_FORK, 0, POMP_FRAME_MASTER)
#define MASTER_IN(phase) pomp_state_of(POMP_FRAME_PARALLEL, phase, POMP_FRAME_MASTER)
#define MEMBER_IN(phase) pomp_state_of(POMP_FRAME_PARALLEL, phase, 0)

/* Added where OMPT tells of the barrier at the region's end. */
#define TOLD pomp_state_of(POMP_FRAME_NONE, 0, POMP_FRAME_TOLD)

POMP_SHORT uint32_t fast_told(const OMPRegDescr *d) {
  return pomp_has_flag(d, POMP_OMPT) ? TOLD : 0;
}

POMP_SHORT bool fast_arrives(const OMPRegDescr *d) { return d && pomp_has_flag(d, POMP_ARRIVAL); }

POMP_SHORT uint64_t *fast_row(const struct pomp_frame *f) { return (uint64_t *)(uintptr_t)f->slot; }

/* The team of a fork; a row that takes no times is `nowhere`. */
POMP_SHORT void open_team(struct pomp_thread *t, struct pomp_team *team, struct pomp_frame *f,
                          bool muted, uint64_t now) {
  uint64_t since = t->serial_since;
  team->fork = now;
  team->path = f->path;
  team->muted = muted;
  team->follows_serial = since != 0;
  team->assembled = team->waited = 0;
  if (since) {
    t->serial_since = 0;
    fast_row(f)[POMP_SERIAL_T] += pomp_elapsed(since, now);
  }
  pomp_team_open(team, t);
}

POMP_SHORT bool fast_fork(struct pomp_thread *t, OMPRegDescr *d, bool records) {
  struct pomp_stack_record *r = t->stack->record;
  struct pomp_team *team = t->unused_teams;
  if (!d || !team || r->depth == r->capacity)
    return false;
  uint64_t *row = pomp_expected_below(pomp_here(t), pomp_fast_region(d));
  if (!row)
    return false;
  t->unused_teams = team->next_unused;
  struct pomp_frame *f = pomp_fast_push(r, FORKED | fast_told(d), row);
  uint64_t now = pomp_fast_stamp(t);
  f->start = f->since = now;
  f->team = (uintptr_t)team;
  atomic_signal_fence(memory_order_seq_cst);
  f->region = pomp_region_of(row);
  open_team(t, team, f, false, now);
  t->forked = team;
  if (records)
    pomp_trace_put_value(t, pomp_trace_enter_op(f, 0), f->path, now,
                         atomic_load_explicit(&team->serial, memory_order_relaxed));
  return true;
}

POMP_SHORT bool fast_begin_as_master(struct pomp_thread *t, struct pomp_frame *f, bool records) {
  uint64_t *row = fast_row(f);
  t->handed = NULL;
  row[POMP_EXEC_C]++;
  uint64_t now = pomp_fast_stamp(t);
  row[POMP_STARTUP_T] += pomp_elapsed(f->start, now);
  f->kind_phase_flags = MASTER_IN(POMP_BODY_T) | (f->kind_phase_flags & TOLD);
  f->since = now;
  if (records)
    pomp_trace_put(t, POMP_TRACE_BEGIN, f->path, now);
  return true;
}

/* Books what the calling member has left to book: only its wait, unless it ran tasks in the barrier
 * or met one before. */
static inline void fast_book_exit(struct pomp_thread *t, uint64_t serial,
                                  const struct pomp_join *join) {
  struct pomp_team_exit *left = &t->team_exit;
  uint64_t since = atomic_load_explicit(&left->since, memory_order_relaxed);
  if (atomic_load_explicit(&left->waits, memory_order_relaxed) != since ||
      atomic_load_explicit(&left->tasks, memory_order_relaxed) ||
      atomic_load_explicit(&left->open, memory_order_relaxed) ||
      atomic_load_explicit(&left->waited, memory_order_relaxed) ||
      atomic_load_explicit(&left->bookers, memory_order_acquire)) {
    pomp_team_exit_book(t, join);
    return;
  }
  uint64_t *row = pomp_team_exit_row(t);
  pomp_team_exit_let_go(t, join->when);
  if (!atomic_compare_exchange_strong(&left->serial, &serial, 0))
    return;
  uint64_t waited = pomp_elapsed(since, join->assembled), took = pomp_elapsed(since, join->when);
  row[POMP_EXIT_BAR_T] += waited;
  row[POMP_SHUTDWN_T] += pomp_elapsed(waited, took);
  row[POMP_EXEC_T] += took;
}

/* The member has no open frame, and what it has left to book is of its master's newest team. */
static __attribute__((noinline)) bool fast_begin_as_worker(struct pomp_thread *t, OMPRegDescr *d,
                                                           struct pomp_team *team, bool records) {
  uint64_t serial = atomic_load_explicit(&team->serial, memory_order_acquire);
  uint64_t left = atomic_load_explicit(&t->team_exit.serial, memory_order_relaxed);
  uint64_t fork = team->fork;
  uint64_t *row = pomp_row_of(t, team->path);
  if (!d || !row || pomp_region_of(row) != pomp_fast_region(d) || team->master == t ||
      team->muted || (left && left != team->before.team))
    return false;
  t->handed = NULL;
  t->seen_team = team;
  if (left) {
    fast_book_exit(t, left, &team->before);
    t->location->arrived = 0;
  }
  row[POMP_EXEC_C]++;
  atomic_store_explicit(&t->team_exit.master, team->master, memory_order_relaxed);
  atomic_store_explicit(&t->team_exit.begun, serial, memory_order_release);
  struct pomp_frame *f =
      pomp_fast_push(t->stack->record, MEMBER_IN(POMP_BODY_T) | fast_told(d), row);
  uint64_t now = pomp_fast_stamp(t);
  f->start = fork;
  f->since = now;
  f->team = serial;
  atomic_signal_fence(memory_order_seq_cst);
  f->region = pomp_region_of(row);
  row[POMP_STARTUP_T] += pomp_elapsed(fork, now);
  if (records)
    pomp_trace_put_values(t, pomp_trace_enter_op(f, 0), f->path, now,
                          (const uint64_t[]){serial, pomp_elapsed(fork, now)}, 2);
  return true;
}

POMP_SHORT bool fast_begin(struct pomp_thread *t, OMPRegDescr *d, bool records) {
  struct pomp_team *team = t->handed;
  struct pomp_frame *f = pomp_fast_top(t);
  if (!f)
    return team && fast_begin_as_worker(t, d, team, records);
  return f->region == pomp_fast_region(d) && (f->kind_phase_flags & ~TOLD) == FORKED &&
         f->team == (uintptr_t)team && !pomp_has_team_exit(t) &&
         fast_begin_as_master(t, f, records);
}

/* The time of the body, unless its part of the region has ended before. */
POMP_SHORT void fast_book_body(const struct pomp_frame *f, uint64_t now) {
  if (f->phase == POMP_BODY_T)
    fast_row(f)[POMP_BODY_T] += pomp_elapsed(f->since, now);
}

POMP_SHORT bool fast_end(struct pomp_thread *t, OMPRegDescr *d, bool records) {
  struct pomp_frame *f = pomp_fast_top(t);
  if (!fast_arrives(d) || t->stack->base || !f || f->region != pomp_fast_region(d) || t->waited)
    return false;
  uint32_t state = f->kind_phase_flags;
  if (state == MASTER_IN(POMP_BODY_T) || state == MASTER_IN(0)) {
    uint64_t now = pomp_fast_stamp(t);
    fast_book_body(f, now);
    f->kind_phase_flags = MASTER_IN(POMP_EXIT_BAR_T);
    f->since = now;
    if (records)
      pomp_trace_put(t, POMP_TRACE_PHASE | POMP_EXIT_BAR_T, f->path, now);
    return true;
  }
  if ((state != MEMBER_IN(POMP_BODY_T) && state != MEMBER_IN(0)) || !f->team || pomp_shares_row(t))
    return false;
  uint64_t *row = fast_row(f), serial = f->team, now = pomp_fast_stamp(t);
  fast_book_body(f, now);
  row[POMP_EXEC_T] += pomp_elapsed(f->start, now);
  if (records) {
    pomp_trace_put(t, POMP_TRACE_DEPARTS, f->path, now);
    pomp_trace_put(t, POMP_TRACE_LEAVE, f->path, now);
  }
  pomp_fast_pop(t->stack->record, f);
  t->location->arrived = 0;
  pomp_team_exit_leave(t, row, now, now);
  atomic_store_explicit(&t->team_exit.waited, 0, memory_order_relaxed);
  t->team_exit.told = false;
  pomp_team_exit_publish(t, serial);
  pomp_team_exit_arrive(t, pomp_path_of(row), serial, now);
  if (records)
    pomp_trace_put(t, POMP_TRACE_WAITS, 0, now);
  return true;
}

/* The newest arrival of the team's members, no earlier than `newest`; 0 if there is more to do for
 * some thread. */
POMP_SHORT uint64_t fast_newest(uint64_t serial, uint64_t before, uint64_t newest) {
  struct pomp_thread *t = atomic_load_explicit(&pomp_threads, memory_order_acquire);
  for (; t; t = t->next) {
    uint64_t left = atomic_load_explicit(&t->team_exit.left, memory_order_acquire);
    if (left == serial) {
      uint64_t arrived = atomic_load_explicit(&t->team_exit.newest, memory_order_relaxed);
      if (atomic_load_explicit(&t->team_exit.open, memory_order_relaxed))
        return 0;
      newest = arrived > newest ? arrived : newest;
    } else if (atomic_load_explicit(&t->team_exit.begun, memory_order_acquire) == serial ||
               (left && left == before)) {
      return 0;
    }
  }
  return newest;
}

/* Records a region's end at its master: the barrier is over at `newest`, the region now. */
static __attribute__((noinline)) void fast_record_join(struct pomp_thread *t, uint32_t path,
                                                       uint64_t serial, uint64_t newest,
                                                       uint64_t now) {
  pomp_trace_put(t, POMP_TRACE_PHASE | POMP_SHUTDWN_T, path, newest);
  pomp_trace_put_value(t, POMP_TRACE_ASSEMBLED, 0, newest, serial);
  pomp_trace_put(t, POMP_TRACE_LEAVE, path, now);
  pomp_trace_put_value(t, POMP_TRACE_JOINED, 0, now, serial);
}

POMP_SHORT bool fast_join(struct pomp_thread *t, OMPRegDescr *d, bool records) {
  struct pomp_frame *f = pomp_fast_top(t);
  if (!fast_arrives(d) || t->stack->base || !f || f->region != pomp_fast_region(d) ||
      f->kind_phase_flags != MASTER_IN(POMP_EXIT_BAR_T) || pomp_shares_row(t))
    return false;
  struct pomp_team *team = (struct pomp_team *)(uintptr_t)f->team;
  struct pomp_location_record *l = t->location;
  uint64_t serial = atomic_load_explicit(&team->serial, memory_order_relaxed);
  uint64_t now = pomp_clock_counter();
  uint64_t newest = fast_newest(serial, l->joined.team, f->since > l->last ? f->since : l->last);
  if (!newest || team->waited)
    return false;
  if (newest > now)
    newest = now;
  uint64_t *row = fast_row(f);
  l->last = now;
  row[POMP_EXIT_BAR_T] += pomp_elapsed(f->since, newest);
  row[POMP_SHUTDWN_T] += now - newest;
  row[POMP_EXEC_T] += pomp_elapsed(f->start, now);
  if (team->follows_serial)
    t->serial_since = now;
  if (records)
    fast_record_join(t, f->path, serial, newest, now);
  pomp_fast_pop(t->stack->record, f);
  pomp_cache_line_fetch(team);
  pomp_team_give_back(t, team);
  pomp_join_write(&l->joined, &(struct pomp_join){serial, now, newest});
  return true;
}

#endif
