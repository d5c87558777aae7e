/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Frames that are opened, changed and closed: their visits, their intervals of the timeline, and
 * the booked sums.  Inline, as most events do nothing else. */
#ifndef POMP_REPLAY_FRAMES_H
#define POMP_REPLAY_FRAMES_H

#include "activities.h"

#include <stdlib.h>

#define ONE_OF(kind, kinds) ((kinds) >> (kind) & 1u)

enum {
  WITHOUT_TIME = 1u << POMP_FRAME_FORK | 1u << POMP_FRAME_CREATE,
  APART = 1u << POMP_FRAME_TASK | 1u << POMP_FRAME_PARALLEL | 1u << POMP_FRAME_FORK,
  TEAMS = 1u << POMP_FRAME_PARALLEL | 1u << POMP_FRAME_FORK,
  IMPLY_BARRIERS = 1u << POMP_FRAME_WORK | 1u << POMP_FRAME_PARALLEL
};

/* Begins an interval with the newest frame's activity; an interval without duration gets no row. */
POMP_SHORT bool interval(struct machine *m, int64_t time) {
  struct pomp_replaying *run = m->run;
  const struct frame *f = m->newest;
  uint64_t row = m->intervals;
  if (time > m->now || !row) {
    if (row >= run->intervals.room)
      return false;
    add_ticks(m->ticks, elapsed(m->now, time));
    m->now = time;
    m->intervals = row + 1;
    run->interval_begin[row] = time;
  } else
    take_back_mark(m, --row);
  run->interval_path[row] = f->phase_path;
  if (m->telling)
    return tell_interval(m, row);
  run->interval_phase[row] = shown_phase(f);
  run->interval_visit[row] = f->visit;
  return true;
}

static inline void book_phase(const struct machine *m, const struct frame *f, int64_t time) {
  if (f->phase > POMP_EXEC_T && f->phase < POMP_SUMS)
    book(m, f->phase_path, f->phase, without(elapsed(f->spent.since, time), f->spent.still_now));
}

POMP_SHORT void begin_phase(const struct machine *m, struct frame *f, unsigned kind, unsigned phase,
                            unsigned path, int64_t time) {
  f->phase = (uint8_t)phase;
  f->phase_path = (uint16_t)path;
  if (m->telling)
    tell_phase(m->telling, f, kind, phase, path);
  else {
    f->spent.since = time;
    f->spent.still_now = 0;
  }
}

/* Returns how many barriers of its team the member has met before.  A task meets none of its
 * team's: a barrier within a task belongs to a team that was not measured. */
static inline int32_t meet(struct machine *m, const struct frame *f) {
  return f->region ? m->frames[f->region].barriers++ : -1;
}

/* A barrier that turned out not to be the last that its construct, or region, has met. */
static inline bool pass(struct pomp_replaying *run, int32_t visit, int32_t ordinal, int64_t met,
                        int64_t until) {
  uint64_t row = run->earlier.count;
  if (row >= run->earlier.room)
    return false;
  run->earlier.count++;
  run->earlier_visit[row] = visit;
  run->earlier_ordinal[row] = ordinal;
  run->earlier_begin[row] = met;
  run->earlier_until[row] = until;
  return true;
}

/* Arrives at an implied barrier, unless the member has only run tasks there.  The barrier at a
 * region's end has no number; other barriers get theirs when they are known to be another one. */
static inline bool come(struct machine *m, struct frame *f, unsigned from, int64_t time) {
  bool is_region = f->kind == POMP_FRAME_PARALLEL;
  if (f->ordinal >= 0 && (from == POMP_EXIT_BAR_T || from == POMP_TASK_T))
    return true;
  if (f->ordinal >= 0 &&
      !pass(m->run, f->visit, is_region ? f->barriers++ : f->ordinal, f->met, time))
    return false;
  f->ordinal = is_region ? 0 : meet(m, f);
  f->met = time;
  return true;
}

/* A visit as others name it: -1 where it may go. */
static inline int32_t lasting(const struct machine *m, int32_t visit) {
  return m->telling ? -1 : visit;
}

/* A critical is held from its body's begin to that's end. */
static inline void follow_critical(struct machine *m, struct frame *f, int64_t time) {
  struct pomp_replaying *run = m->run;
  if (f->phase != POMP_BODY_T) {
    if (f->lock >= 0) {
      run->lock_released[f->lock] = time;
      f->lock = GIVEN_UP;
    }
    return;
  }
  int64_t lock = run->critical[f->phase_path];
  uint64_t row = run->locks.count;
  if (f->lock != NOT_GOT || !lock || row >= run->locks.room)
    return;
  run->locks.count = row + 1;
  f->lock = (int32_t)row;
  run->lock_path[row] = f->phase_path;
  run->lock_lock[row] = lock;
  run->lock_asked[row] = f->begin;
  run->lock_got[row] = time;
  run->lock_released[row] = run->end;
  run->lock_visit[row] = lasting(m, f->visit);
}

POMP_SHORT bool change_phase(struct machine *m, unsigned phase, unsigned path, int64_t time,
                             bool again) {
  struct frame *f = m->newest;
  unsigned from = f->phase;
  if (!m->telling && !again)
    book_phase(m, f, time);
  begin_phase(m, f, f->kind, phase, path, time);
  if (f->kind == POMP_FRAME_SYNC)
    follow_critical(m, f, time);
  else if (phase == POMP_EXIT_BAR_T && ONE_OF(f->kind, IMPLY_BARRIERS) && !come(m, f, from, time))
    return false;
  return interval(m, time);
}

/* Frames beneath a task that suspends them stand still meanwhile.  A wait that runs tasks does not,
 * except for the time of tasks that these let run. */
static inline void hand_down(const struct machine *m, const struct frame *f, int64_t time) {
  struct frame *beneath = m->newest;
  uint64_t still = f->spent.away, away = f->spent.away;
  if (f->kind == POMP_FRAME_TASK) {
    bool suspends = f->how & POMP_TRACE_SPECIAL;
    away = suspends ? elapsed(f->begin, time) : 0;
    still = away;
    if (f->how & POMP_TRACE_SWITCHES)
      still = suspends || beneath->kind == POMP_FRAME_WAIT ? f->spent.still : 0;
  }
  beneath->spent.still += still;
  beneath->spent.still_now += still;
  if (!ONE_OF(beneath->kind, APART))
    beneath->spent.away += away;
}

static inline void book_frame(const struct machine *m, const struct frame *f, int64_t time) {
  const struct spent *spent = &f->spent;
  book_phase(m, f, time);
  uint64_t took = without(elapsed(earlier(f->begin, spent->startup), time), spent->still);
  if (!ONE_OF(f->kind, WITHOUT_TIME))
    book(m, f->path, POMP_EXEC_T, took);
  if (f->kind == POMP_FRAME_USER && f->how & POMP_TRACE_SPECIAL)
    book(m, f->path, POMP_INNER_T, took);
  if (is_open(m) && (spent->away || f->kind == POMP_FRAME_TASK))
    hand_down(m, f, time);
}

static inline void write_visit(struct pomp_replaying *run, const struct frame *f, int64_t time) {
  run->visit_begin[f->visit] = f->begin;
  run->visit_end[f->visit] = time;
  run->visit_path[f->visit] = f->path;
  run->visit_kind[f->visit] = f->kind;
  run->visit_how[f->visit] = f->how;
  run->visit_outer[f->visit] = f[-1].visit;
  run->visit_team[f->visit] = f->team;
  run->visit_ordinal[f->visit] = f->kind == POMP_FRAME_PARALLEL ? f->barriers : f->ordinal;
}

POMP_SHORT void end_frame(struct machine *m, int64_t time) {
  const struct frame *f = m->newest--;
  if (f->lock >= 0)
    m->run->lock_released[f->lock] = time;
  if (!m->telling)
    book_frame(m, f, time);
  if (!m->telling || !let_go(m, f))
    write_visit(m->run, f, time);
}

/* A task that was run in the barrier of a team whose region the thread has left is over. */
POMP_SHORT void end_departed_task(const struct machine *m, const struct frame *f, int64_t time) {
  if (f->kind == POMP_FRAME_TASK && !is_open(m) && m->lowest_left >= 0)
    add_ticks(&m->run->departure_tasks[m->lowest_left], elapsed(f->begin, time));
}

POMP_SHORT bool close_frame(struct machine *m, int64_t time) {
  const struct frame *f = m->newest;
  end_frame(m, time);
  m->closed = f;
  m->closed_end = time;
  end_departed_task(m, f, time);
  return interval(m, time);
}

static inline bool grow(struct machine *m) {
  size_t depth = depth_of(m), room = depth ? 2 * (depth + 1) : 64;
  struct frame *frames = realloc(m->frames, room * sizeof *frames);
  if (!frames)
    return false;
  m->frames = frames;
  m->newest = frames + depth;
  m->last = frames + room - 1;
  return true;
}

static inline unsigned kind_of(unsigned op) { return (op & 0x7f) >> 3; }

static inline unsigned first_phase(unsigned kind, unsigned how) {
  static const uint8_t first[POMP_KINDS] = {[POMP_FRAME_SYNC] = POMP_ENTER_T,
                                            [POMP_FRAME_PARALLEL] = POMP_BODY_T,
                                            [POMP_FRAME_CREATE] = POMP_CREATE_T};
  return kind == POMP_FRAME_WORK && how & POMP_TRACE_SPECIAL ? POMP_BODY_T : first[kind];
}

static inline void count_visit(struct machine *m, const struct frame *f) {
  if (f->how & POMP_TRACE_RESUMES)
    return;
  if (f->kind == POMP_FRAME_CREATE)
    book(m, f->path, POMP_CREATE_C, 1);
  else if (f->kind != POMP_FRAME_FORK)
    book(m, f->path, POMP_EXEC_C, 1);
}

/* Takes a team, an untied task's number, or the ticks since the fork. */
static inline void take_values(struct machine *m, struct frame *f, const int64_t *values,
                               uint64_t count) {
  struct pomp_replaying *run = m->run;
  if (ONE_OF(f->kind, TEAMS)) {
    join(m, f, count ? values[0] : 0);
    f->region = depth_of(m);
    if (!m->telling && count > 1 && f->kind == POMP_FRAME_PARALLEL) {
      f->spent.startup = (uint64_t)values[1];
      book(m, f->path, POMP_STARTUP_T, f->spent.startup);
    }
  } else if (f->kind == POMP_FRAME_TASK && count && run->numbered.count < run->numbered.room) {
    run->numbered_visit[run->numbered.count] = f->visit;
    run->numbered_number[run->numbered.count++] = values[0];
  }
}

POMP_SHORT bool open_frame(struct machine *m, unsigned op, unsigned path, int64_t time,
                           const int64_t *values, uint64_t count) {
  unsigned kind = kind_of(op), how = op & 7;
  if (m->visits >= m->run->visits.room || (m->newest == m->last && !grow(m)))
    return false;
  const struct frame *outer = m->newest;
  struct frame *f = ++m->newest;
  f->begin = time;
  f->team = outer->team;
  f->table = outer->table;
  f->visit = (int32_t)m->visits++;
  f->region = kind == POMP_FRAME_TASK ? 0 : outer->region;
  f->barriers = 0;
  f->ordinal = -1;
  f->lock = NOT_GOT;
  f->path = (uint16_t)path;
  f->kind = (uint8_t)kind;
  f->how = (uint8_t)how;
  m->closed = NULL;
  if (outer == m->frames) {
    m->lowest_left = m->left;
    if (m->left >= 0)
      join(m, f, m->run->departure_team[m->left]);
  }
  if (m->telling)
    f->is_kept = outer == m->frames || m->telling->is_kept[row_of(m->telling, path, kind)];
  else {
    f->spent = (struct spent){.since = time};
    count_visit(m, f);
  }
  if (count || ONE_OF(kind, TEAMS))
    take_values(m, f, values, count);
  begin_phase(m, f, kind, first_phase(kind, how), path, time);
  if (kind == POMP_FRAME_BARRIER)
    f->ordinal = meet(m, f);
  return interval(m, time);
}

#endif
