/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is done in each stretch is told at once, instead of its phase and its visit. */
#ifndef POMP_REPLAY_TELLING_H
#define POMP_REPLAY_TELLING_H

#include "machine.h"

#include <stddef.h>

/* What the bits of a word have room for. */
enum { POMP_KINDS = 16, POMP_PHASES = 16 };

/* `table` tells a code for it, by the frame's kind, its phase and the class of its call path, which
 * is below `classes`; `none` is done without a frame.  A stretch whose
 * code is marked is a row of marks, with its phase and visit.  Of the visits only those stay that
 * are kept by their kind and class, have a mark, or something that stays within; and the
 * outermost. */
struct pomp_telling {
  const uint8_t *path_class;
  const uint8_t *table;
  uint64_t classes;
  uint64_t none;
  uint64_t codes;
  const uint8_t *is_marked; /* by code */
  const uint8_t *is_kept;   /* by kind and class */
  int64_t *ticks;           /* by call path and code */
  int64_t *serial;          /* by call path: ticks outside teams */
  int64_t *gone;            /* by call path: visits that do not stay */
};

static inline unsigned code_of(const struct pomp_telling *to, const struct frame *f,
                               unsigned phase) {
  if (f->visit < 0)
    return (unsigned)to->none;
  return to->table[(f->kind * POMP_PHASES + phase) * to->classes + to->path_class[f->phase_path]];
}

/* The newest stretch is over. */
static inline void end_stretch(const struct machine *m, int64_t time) {
  int64_t took = time - m->now;
  if (took <= 0)
    return;
  *m->ticks += took;
  *m->serial += took;
}

/* What begins takes the place of a stretch that is of no time. */
static inline void take_back_mark(struct pomp_replaying *run, uint64_t row) {
  uint64_t mark = run->marks.count;
  run->marks.count -= mark && (uint64_t)run->mark_stretch[mark - 1] == row;
}

static inline bool tell_stretch(struct machine *m, uint64_t row, unsigned phase) {
  struct pomp_replaying *run = m->run;
  const struct pomp_telling *to = run->telling;
  const struct frame *f = m->newest;
  unsigned code = code_of(to, f, phase);
  run->stretch_doing[row] = (uint8_t)code;
  m->ticks = &to->ticks[f->phase_path * to->codes + code];
  m->serial = f->team ? &m->unused : &to->serial[f->phase_path];
  if (!to->is_marked[code])
    return true;
  uint64_t mark = run->marks.count;
  if (mark >= run->marks.room)
    return false;
  run->mark_stretch[mark] = (int32_t)row;
  run->mark_visit[mark] = f->visit;
  run->mark_phase[mark] = (uint8_t)phase;
  run->marks.count = mark + 1;
  return true;
}

/* Whether a visit that was just closed does not stay: its row is the next one's. */
static inline bool let_go(struct machine *m, const struct frame *f) {
  struct pomp_replaying *run = m->run;
  const struct pomp_telling *to = run->telling;
  uint64_t mark = run->marks.count;
  if (to->is_kept[f->kind * to->classes + to->path_class[f->path]] || !is_open(m) ||
      (uint64_t)f->visit + 1 != run->visits.count ||
      (mark && run->mark_visit[mark - 1] == f->visit))
    return false;
  run->visits.count--;
  to->gone[f->path] += !(f->how & POMP_TRACE_RESUMES);
  return true;
}

#endif
