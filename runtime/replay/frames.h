/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Frames that are opened, changed and closed: their visits, their stretches of the time line and
 * the sums of what was booked.  Inline: this is what most events are. */
#ifndef POMP_REPLAY_FRAMES_H
#define POMP_REPLAY_FRAMES_H

#include "telling.h"

#include <stdlib.h>

#define ONE_OF(kind, kinds) ((kinds) >> (kind) & 1u)

enum {
  WITHOUT_TIME = 1u << POMP_FRAME_FORK | 1u << POMP_FRAME_CREATE,
  APART = 1u << POMP_FRAME_TASK | 1u << POMP_FRAME_PARALLEL | 1u << POMP_FRAME_FORK,
  TEAMS = 1u << POMP_FRAME_PARALLEL | 1u << POMP_FRAME_FORK
};

/* What the newest frame does from here on; no row is of no time. */
static inline bool stretch(struct machine *m, int64_t time) {
  struct pomp_replaying *run = m->run;
  const struct frame *f = top_of(m);
  uint64_t row = run->stretches.count;
  if (time > m->now || !row) {
    end_stretch(m, time);
    m->now = time;
  } else
    row -= run->stretch_begin[row - 1] == m->now;
  if (row >= run->stretches.room)
    return false;
  unsigned phase = f->kind == POMP_FRAME_FORK ? POMP_STARTUP_T : f->phase;
  run->stretches.count = row + 1;
  run->stretch_begin[row] = m->now;
  run->stretch_path[row] = f->phase_path;
  if (run->telling)
    return tell_stretch(m, row, phase);
  run->stretch_phase[row] = (uint8_t)phase;
  run->stretch_visit[row] = f->visit;
  return true;
}

static inline void book_phase(struct machine *m, struct frame *f, int64_t time) {
  if (f->phase > POMP_EXEC_T && f->phase < POMP_SUMS)
    sums_of(m, f->phase_path)[f->phase] += without(elapsed(f->since, time), f->still_now);
}

static inline void begin_phase(struct frame *f, unsigned phase, unsigned path, int64_t time) {
  f->phase = (uint8_t)phase;
  f->phase_path = (uint16_t)path;
  f->since = time;
  f->still_now = 0;
}

/* How many barriers of its team the member has met before. */
static inline int32_t meet(struct machine *m, const struct frame *f) {
  return f->region ? m->frames[f->region].barriers++ : -1;
}

/* A visit as others name it: -1 where it may go. */
static inline int32_t lasting(const struct machine *m, int32_t visit) {
  return m->run->telling ? -1 : visit;
}

/* A critical is held from its body's begin to that's end. */
static inline void follow_critical(struct machine *m, struct frame *f, unsigned phase,
                                   int64_t time) {
  struct pomp_replaying *run = m->run;
  int64_t lock = run->critical[f->phase_path];
  if (phase == POMP_BODY_T && f->lock == NOT_GOT && lock && run->locks.count < run->locks.room) {
    uint64_t row = run->locks.count++;
    f->lock = (int32_t)row;
    run->lock_path[row] = f->phase_path;
    run->lock_lock[row] = lock;
    run->lock_asked[row] = f->begin;
    run->lock_got[row] = time;
    run->lock_released[row] = run->end;
    run->lock_visit[row] = lasting(m, f->visit);
  } else if (phase != POMP_BODY_T && f->lock >= 0) {
    run->lock_released[f->lock] = time;
    f->lock = GIVEN_UP;
  }
}

static inline bool change_phase(struct machine *m, unsigned phase, unsigned path, int64_t time,
                                bool again) {
  struct frame *f = top_of(m);
  if (!again)
    book_phase(m, f, time);
  begin_phase(f, phase, path, time);
  if (f->kind == POMP_FRAME_SYNC)
    follow_critical(m, f, phase, time);
  else if (phase == POMP_EXIT_BAR_T && f->kind == POMP_FRAME_WORK &&
           m->run->visit_ordinal[f->visit] < 0)
    m->run->visit_ordinal[f->visit] = meet(m, f);
  return stretch(m, time);
}

/* Of a task that suspends the one beneath it, those frames stand still meanwhile; a wait that
 * runs tasks does not, but for what these let run in their turn. */
static inline void hand_down(struct machine *m, const struct frame *f, int64_t time) {
  struct frame *beneath = top_of(m);
  uint64_t still = f->away, away = f->away;
  if (f->kind == POMP_FRAME_TASK) {
    bool suspends = f->how & POMP_TRACE_SPECIAL;
    away = suspends ? elapsed(f->begin, time) : 0;
    still = away;
    if (f->how & POMP_TRACE_SWITCHES)
      still = suspends || beneath->kind == POMP_FRAME_WAIT ? f->still : 0;
  }
  beneath->still += still;
  beneath->still_now += still;
  if (!ONE_OF(beneath->kind, APART))
    beneath->away += away;
}

static inline void end_frame(struct machine *m, int64_t time) {
  struct pomp_replaying *run = m->run;
  struct frame *f = top_of(m);
  book_phase(m, f, time);
  uint64_t *sums = sums_of(m, f->path);
  uint64_t took = without(elapsed(earlier(f->begin, f->startup), time), f->still);
  if (!ONE_OF(f->kind, WITHOUT_TIME))
    sums[POMP_EXEC_T] += took;
  if (f->kind == POMP_FRAME_USER && f->how & POMP_TRACE_SPECIAL)
    sums[POMP_INNER_T] += took;
  run->visit_end[f->visit] = time;
  run->visit_kind[f->visit] = f->kind;
  if (f->kind == POMP_FRAME_PARALLEL)
    run->visit_ordinal[f->visit] = f->barriers;
  if (f->lock >= 0)
    run->lock_released[f->lock] = time;
  m->depth--;
  if (m->depth && (f->away || f->kind == POMP_FRAME_TASK))
    hand_down(m, f, time);
  if (run->telling)
    let_go(m, f);
}

static inline bool close_frame(struct machine *m, int64_t time) {
  const struct frame *f = top_of(m);
  end_frame(m, time);
  m->closed = f->visit;
  m->closed_path = f->path;
  m->closed_begin = f->begin;
  m->closed_end = time;
  if (!m->depth && f->kind == POMP_FRAME_TASK && m->lowest_left >= 0)
    add_ticks(&m->run->departure_tasks[m->lowest_left], elapsed(f->begin, time));
  return stretch(m, time);
}

static inline bool grow(struct machine *m) {
  uint64_t room = m->room ? 2 * m->room : 64;
  struct frame *frames = realloc(m->frames, room * sizeof *frames);
  if (!frames)
    return false;
  m->frames = frames;
  m->room = room;
  return true;
}

static inline unsigned first_phase(unsigned kind, unsigned how) {
  switch (kind) {
  case POMP_FRAME_SYNC:
    return POMP_ENTER_T;
  case POMP_FRAME_PARALLEL:
    return POMP_BODY_T;
  case POMP_FRAME_CREATE:
    return POMP_CREATE_T;
  case POMP_FRAME_WORK:
    return how & POMP_TRACE_SPECIAL ? POMP_BODY_T : 0;
  default:
    return 0;
  }
}

static inline void count_visit(struct machine *m, unsigned kind, unsigned how, unsigned path) {
  if (how & POMP_TRACE_RESUMES)
    return;
  if (kind == POMP_FRAME_CREATE)
    sums_of(m, path)[POMP_CREATE_C]++;
  else if (kind != POMP_FRAME_FORK)
    sums_of(m, path)[POMP_EXEC_C]++;
}

/* Of a team, an untied task's number; ticks since the fork. */
static inline void take_values(struct machine *m, struct frame *f, const int64_t *values,
                               uint64_t count) {
  struct pomp_replaying *run = m->run;
  if (ONE_OF(f->kind, TEAMS)) {
    f->team = count ? values[0] : 0;
    f->region = (uint32_t)m->depth;
    f->startup = count > 1 && f->kind == POMP_FRAME_PARALLEL ? (uint64_t)values[1] : 0;
    sums_of(m, f->path)[POMP_STARTUP_T] += f->startup;
  } else if (f->kind == POMP_FRAME_TASK && count && run->numbered.count < run->numbered.room) {
    run->numbered_visit[run->numbered.count] = f->visit;
    run->numbered_number[run->numbered.count++] = values[0];
  }
}

static inline void write_visit(struct machine *m, struct frame *f, int32_t outer) {
  struct pomp_replaying *run = m->run;
  run->visit_begin[f->visit] = f->begin;
  run->visit_path[f->visit] = f->path;
  run->visit_how[f->visit] = f->how;
  run->visit_outer[f->visit] = outer;
  run->visit_team[f->visit] = f->team;
  run->visit_ordinal[f->visit] = f->kind == POMP_FRAME_BARRIER ? meet(m, f) : -1;
}

static inline bool open_frame(struct machine *m, unsigned op, unsigned path, int64_t time,
                              const int64_t *values, uint64_t count) {
  struct pomp_replaying *run = m->run;
  unsigned kind = (op & 0x7f) >> 3, how = op & 7;
  if (run->visits.count >= run->visits.room || (m->depth + 1 >= m->room && !grow(m)))
    return false;
  const struct frame *outer = top_of(m);
  struct frame *f = &m->frames[++m->depth];
  *f = (struct frame){.begin = time,
                      .since = time,
                      .team = outer->team,
                      .visit = (int32_t)run->visits.count++,
                      .region = outer->region,
                      .lock = NOT_GOT,
                      .path = (uint16_t)path,
                      .phase_path = (uint16_t)path,
                      .kind = (uint8_t)kind,
                      .how = (uint8_t)how,
                      .phase = (uint8_t)first_phase(kind, how)};
  if (m->depth == 1) {
    m->lowest_left = m->left;
    if (m->left >= 0)
      f->team = run->departure_team[m->left];
  }
  count_visit(m, kind, how, path);
  if (count || ONE_OF(kind, TEAMS))
    take_values(m, f, values, count);
  write_visit(m, f, outer->visit);
  return stretch(m, time);
}

#endif
