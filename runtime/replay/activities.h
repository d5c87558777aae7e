/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Activities: with a telling, each interval gets one code for its activity, instead of its
 * phase and its visit. */
#ifndef POMP_REPLAY_ACTIVITIES_H
#define POMP_REPLAY_ACTIVITIES_H

#include "machine.h"

#include <stddef.h>

/* Kinds and phases that the bits of a word have room for. */
enum { POMP_KINDS = 16, POMP_PHASES = 16 };

/* `table` gives the code of an activity, by the class of the call path, the frame's kind and its
 * phase; a fork has none.  `none` is the code without a frame.  An interval whose code is marked
 * gets a row of marks, with its phase and visit.  Of the visits only these stay: the outermost
 * ones, those that are kept by their class and kind, and those with a mark, or with a visit inside
 * that stays. */
struct pomp_telling {
  const uint8_t *path_class;
  const uint8_t *table;
  uint64_t none;
  uint64_t codes;
  const uint8_t *is_marked; /* by code */
  const uint8_t *is_kept;   /* by class and kind */
  int64_t *ticks;           /* by call path and code */
  int64_t *serial;          /* by call path: ticks outside teams */
  int64_t *gone;            /* by call path: visits that do not stay */
};

static inline unsigned row_of(const struct pomp_telling *to, unsigned path, unsigned kind) {
  return to->path_class[path] * POMP_KINDS + kind;
}

/* Sets what the frame does from here on. */
static inline void tell_phase(const struct pomp_telling *to, struct frame *f, unsigned kind,
                              unsigned phase, unsigned path) {
  unsigned code = to->table[row_of(to, path, kind) * POMP_PHASES + phase];
  f->doing = (uint8_t)code;
  f->ticks = &f->table[path * to->codes + code];
}

/* The frame is of this team; 0: of none. */
static inline void join(const struct machine *m, struct frame *f, int64_t team) {
  f->team = team;
  if (m->telling)
    f->table = team ? m->telling->ticks : m->outside;
}

/* A new interval takes the place of one that has no duration. */
static inline void take_back_mark(struct machine *m, uint64_t row) {
  struct pomp_replaying *run = m->run;
  uint64_t marks = run->marks.count;
  if (!marks || (uint64_t)run->mark_interval[marks - 1] != row)
    return;
  run->marks.count = --marks;
  m->marked = marks ? run->mark_visit[marks - 1] : -1;
}

POMP_SHORT bool tell_interval(struct machine *m, uint64_t row) {
  struct pomp_replaying *run = m->run;
  const struct frame *f = m->newest;
  run->interval_doing[row] = f->doing;
  m->ticks = f->ticks;
  if (!m->telling->is_marked[f->doing])
    return true;
  uint64_t mark = run->marks.count;
  if (mark >= run->marks.room)
    return false;
  run->mark_interval[mark] = (int32_t)row;
  run->mark_visit[mark] = m->marked = f->visit;
  run->mark_phase[mark] = shown_phase(f);
  run->marks.count = mark + 1;
  return true;
}

/* True if a visit that was just closed does not stay; then the next visit gets its row. */
POMP_SHORT bool let_go(struct machine *m, const struct frame *f) {
  if (f->is_kept || (uint64_t)f->visit + 1 != m->visits || m->marked == f->visit)
    return false;
  m->visits--;
  m->telling->gone[f->path] += !(f->how & POMP_TRACE_RESUMES);
  return true;
}

/* Adds the time outside of teams to all ticks. */
static inline void tell_outside(const struct machine *m) {
  const struct pomp_telling *to = m->telling;
  for (uint64_t path = 0, at = 0; path < m->run->paths; path++)
    for (uint64_t code = 0; code < to->codes; code++, at++) {
      to->ticks[at] += m->outside[at];
      to->serial[path] += m->outside[at];
    }
}

#endif
