/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is done in each stretch is told at once, instead of its phase and its visit. */
#ifndef POMP_REPLAY_TELLING_H
#define POMP_REPLAY_TELLING_H

#include "machine.h"

#include <stddef.h>

/* `table` tells a code for it, by the frame's kind (below `kinds`), its phase (below `phases`) and
 * the class of its call path (below `classes`); `none` is done without a frame.  A stretch whose
 * code is marked is a row of marks, with its phase and visit.  Of the visits only those stay that
 * are kept by their kind and class, have a mark, or something that stays within; and the
 * outermost. */
struct pomp_telling {
  const uint8_t *path_class;
  const uint8_t *table;
  uint64_t kinds, phases, classes;
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
  uint64_t of_path = to->path_class[f->phase_path];
  if (f->visit < 0 || f->kind >= to->kinds || phase >= to->phases || of_path >= to->classes)
    return (unsigned)to->none;
  return to->table[(f->kind * to->phases + phase) * to->classes + of_path];
}

/* The newest stretch is over. */
static inline void end_stretch(const struct machine *m, int64_t time) {
  int64_t took = time - m->now;
  if (!m->ticks || took <= 0)
    return;
  *m->ticks += took;
  if (m->serial)
    *m->serial += took;
}

/* What begins takes the place of the newest where that is of no time. */
static inline bool tell_stretch(struct machine *m, uint64_t row, unsigned phase) {
  struct pomp_replaying *run = m->run;
  const struct pomp_telling *to = run->telling;
  const struct frame *f = top_of(m);
  unsigned code = code_of(to, f, phase);
  run->stretch_doing[row] = (uint8_t)code;
  m->ticks = &to->ticks[f->phase_path * to->codes + code];
  m->serial = f->visit < 0 || !f->team ? &to->serial[f->phase_path] : NULL;
  uint64_t mark = run->marks.count;
  mark -= mark && (uint64_t)run->mark_stretch[mark - 1] == row;
  run->marks.count = mark;
  if (!to->is_marked[code])
    return true;
  if (mark >= run->marks.room)
    return false;
  run->mark_stretch[mark] = (int32_t)row;
  run->mark_visit[mark] = f->visit;
  run->mark_phase[mark] = (uint8_t)phase;
  run->marks.count = mark + 1;
  return true;
}

/* Its row is the next one's. */
static inline void let_go(struct machine *m, const struct frame *f) {
  struct pomp_replaying *run = m->run;
  const struct pomp_telling *to = run->telling;
  uint64_t mark = run->marks.count, of_path = to->path_class[f->path];
  if (!m->depth || (uint64_t)f->visit + 1 != run->visits.count || f->kind >= to->kinds ||
      of_path >= to->classes || to->is_kept[f->kind * to->classes + of_path] ||
      (mark && run->mark_visit[mark - 1] == f->visit))
    return;
  run->visits.count--;
  to->gone[f->path] += !(f->how & POMP_TRACE_RESUMES);
}

#endif
