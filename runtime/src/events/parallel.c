/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "events/event.h"
#include "events/fast_parallel.h"
#include "events/prices.h"
#include "tasks/left_team.h"
#include "tasks/task.h"
#include "tasks/team.h"
#include "tasks/team_exit.h"

#define FORK POMP_KIND(POMP_FRAME_FORK)
#define PARALLEL POMP_KIND(POMP_FRAME_PARALLEL)

static struct pomp_team *team_of(const struct pomp_frame *master) {
  return (struct pomp_team *)(uintptr_t)master->team;
}

static uint16_t told_flag(const OMPRegDescr *d) {
  return pomp_has_flag(d, POMP_OMPT) ? POMP_FRAME_TOLD : 0;
}

POMP_PRICED_FAST(fork, Parallel_fork, POMP_PRICE_FORK, pomp_price_end) {
  struct pomp_thread *t = pomp_arrive();
  uint32_t region = t ? pomp_region(d) : 0;
  if (!region)
    return;
  bool muted = pomp_is_muted();
  uint64_t *slot = muted ? NULL : pomp_below(t, pomp_here(t), region);
  struct pomp_team *team = pomp_team_take(t);
  uint64_t now = pomp_stamp(t);
  struct pomp_frame *f = pomp_push(t, region, POMP_FRAME_FORK, slot, 0, now);
  t->forked = NULL;
  if (team && !f)
    pomp_team_give_back(t, team);
  if (!team || muted)
    pomp_trace_entered(t, f, now);
  if (!team || !f)
    return;
  open_team(t, team, f, muted, now);
  f->team = (uintptr_t)team;
  f->flags |= POMP_FRAME_MASTER | told_flag(d);
  t->forked = team;
  if (pomp_traces && !muted)
    pomp_trace_put_value(t, pomp_trace_enter_op(f, 0), f->path, now,
                         atomic_load_explicit(&team->serial, memory_order_relaxed));
}

void *POMP_Get_team(void) { return pomp_is_running() ? pomp_self->forked : NULL; }

static __attribute__((noinline)) void set_team(void *team) {
  struct pomp_thread *t = team ? pomp_arrive() : NULL;
  if (t)
    t->handed = team;
}

void POMP_Set_team(void *team) {
  struct pomp_thread *t = pomp_self;
  /* Mostly the same storage again: its line is fetched while `team` itself is on its way. */
  __builtin_prefetch(t->seen_team);
  pomp_cache_line_fetch(&t->team_exit.begun);
  if (__builtin_expect(team && pomp_mode_counts(pomp_mode_of(t)), 1))
    t->handed = team;
  else
    set_team(team);
}

/* The frame that the fork left becomes the region's. */
static void begin_as_master(struct pomp_thread *t, struct pomp_frame *f) {
  uint64_t now = pomp_stamp(t);
  f->kind = POMP_FRAME_PARALLEL;
  if (!(f->flags & POMP_FRAME_MUTED))
    pomp_count(f, POMP_EXEC_C);
  pomp_book(t, f, POMP_STARTUP_T, pomp_elapsed(f->start, now));
  f->phase = POMP_BODY_T;
  f->since = now;
  pomp_trace_frame(t, f, POMP_TRACE_BEGIN, now);
}

/* A worker that begins a team should have no open frame.  A frame found here was left by a
 * cancelled region, an exception or a jump, and its team has ended. */
static void begin_as_worker(struct pomp_thread *t, OMPRegDescr *d, const struct pomp_team *team,
                            uint64_t serial) {
  uint64_t fork = team->fork;
  pomp_task_end_to(t, 0);
  uint64_t *slot = team->muted || pomp_is_muted() ? NULL : pomp_path_row(t, team->path);
  if (slot)
    slot[POMP_EXEC_C]++;
  atomic_store_explicit(&t->team_exit.master, team->master, memory_order_relaxed);
  atomic_store_explicit(&t->team_exit.begun, serial, memory_order_release);
  uint64_t left = pomp_team_exit_end_of_cut(t, fork);
  uint64_t now = pomp_stamp(t);
  pomp_close_all(t, left);
  struct pomp_frame *f = pomp_push(t, pomp_region(d), POMP_FRAME_PARALLEL, slot, POMP_BODY_T, now);
  if (!f)
    return;
  f->flags |= told_flag(d);
  f->start = fork;
  f->team = serial;
  pomp_book(t, f, POMP_STARTUP_T, pomp_elapsed(fork, now));
  if (!slot)
    pomp_trace_entered(t, f, now);
  else if (pomp_traces)
    pomp_trace_put_values(t, pomp_trace_enter_op(f, 0), f->path, now,
                          (const uint64_t[]){serial, pomp_elapsed(fork, now)}, 2);
}

static struct pomp_frame *find_fork(struct pomp_thread *t, uint32_t region, bool own_team) {
  struct pomp_frame *f = pomp_top(t);
  if (f && pomp_is(f, region, FORK))
    return f;
  return own_team ? pomp_find(t, region, FORK, pomp_now()) : NULL;
}

POMP_PRICED_FAST(begin, Parallel_begin, POMP_PRICE_BEGIN, pomp_price_end_member) {
  struct pomp_thread *t = pomp_arrive();
  uint32_t region = t ? pomp_region(d) : 0;
  if (!region)
    return;
  struct pomp_team *team = t->handed;
  uint64_t serial = team ? atomic_load_explicit(&team->serial, memory_order_acquire) : 0;
  t->handed = NULL;
  bool is_worker = team && team->master != t;
  if (pomp_has_team_exit(t) && (is_worker || !t->stack->base))
    pomp_team_exit_end(t, team ? &team->before : NULL, team ? team->fork : pomp_now());
  if (is_worker) {
    begin_as_worker(t, d, team, serial);
    return;
  }
  struct pomp_frame *f = find_fork(t, region, team != NULL);
  if (f)
    begin_as_master(t, f);
  else
    pomp_enter(d, POMP_FRAME_PARALLEL, POMP_BODY_T);
}

POMP_PRICED_FAST(end, Parallel_end, POMP_PRICE_END, pomp_price_end_member) {
  struct pomp_thread *t = pomp_arrive();
  uint32_t region = t ? pomp_region(d) : 0;
  if (!region)
    return;
  bool arrives = pomp_has_flag(d, POMP_ARRIVAL);
  if (arrives && __builtin_expect(t->stack->base != 0, 0)) {
    pomp_task_end_gone(t);
    pomp_task_end_above(t, region, PARALLEL);
  }
  uint64_t now = pomp_stamp(t);
  struct pomp_frame *f = pomp_find(t, region, PARALLEL | POMP_ACROSS_TASKS, now);
  if (f && f->flags & POMP_FRAME_MASTER) {
    team_of(f)->waited = t->waited;
    t->waited = 0;
    pomp_phase(t, f, arrives ? POMP_EXIT_BAR_T : POMP_SHUTDWN_T, now);
  } else if (f) {
    pomp_team_leave(t, f, arrives, now);
  }
}

/* The barrier ended when the last member had arrived and the last task in it had ended.  It did not
 * end before the master's newest event, which may be one of a reduction in the barrier. */
static void end_arrivals(struct pomp_thread *t, struct pomp_frame *f, uint64_t last, uint64_t now) {
  uint64_t serial = atomic_load_explicit(&team_of(f)->serial, memory_order_relaxed);
  uint64_t newest = pomp_team_exits_newest(serial, f->since > last ? f->since : last, now);
  pomp_team_exits_assembled(t, f, newest < now ? newest : now);
}

static void book_barrier(struct pomp_thread *t, struct pomp_frame *f, uint64_t now) {
  uint64_t waited = team_of(f)->waited, ended = pomp_elapsed(f->since, now);
  if (waited && f->phase == POMP_SHUTDWN_T)
    pomp_book(t, f, POMP_AGAIN_T, waited < ended ? waited : ended);
}

POMP_PRICED_FAST(join, Parallel_join, POMP_PRICE_JOIN, pomp_price_end) {
  struct pomp_thread *t = pomp_arrive();
  uint32_t region = t ? pomp_region(d) : 0;
  if (!region)
    return;
  bool arrived = pomp_has_flag(d, POMP_ARRIVAL);
  if (arrived && __builtin_expect(t->stack->base != 0, 0))
    pomp_task_end_above(t, region, FORK | PARALLEL);
  uint64_t last = t->location->last;
  uint64_t now = pomp_stamp(t);
  struct pomp_frame *f = pomp_find_last(t, region, FORK | PARALLEL | POMP_ACROSS_TASKS, now);
  if (!f || !(f->flags & POMP_FRAME_MASTER))
    return;
  if (arrived && f->phase == POMP_EXIT_BAR_T)
    end_arrivals(t, f, last, now);
  uint64_t serial = atomic_load_explicit(&team_of(f)->serial, memory_order_relaxed);
  struct pomp_join join = {.team = serial, .when = now, .assembled = team_of(f)->assembled};
  book_barrier(t, f, now);
  if (team_of(f)->follows_serial)
    t->serial_since = now;
  pomp_close_top(t, now);
  if (pomp_traces)
    pomp_trace_put_value(t, POMP_TRACE_JOINED, 0, now, serial);
  pomp_team_exits_end(t, &join, arrived);
}
