/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The open frames of a location of an OTF2 archive, and the events that are made of it. */
#ifndef POMP_REPLAY_ARCHIVE_FRAMES_H
#define POMP_REPLAY_ARCHIVE_FRAMES_H

#include "archive.h"

#include "trace/trace_format.h"

#include <stdbool.h>
#include <stdlib.h>

enum { NONE = -1, FORKED = -2 };

/* `region` is a row of plans, to compare with the region that is left.  A part of a construct is a
 * frame without a kind: its phases are those of the frame beneath. */
struct frame {
  int64_t region;
  int64_t team;
  int64_t forked; /* the row of the fork, at a team's master */
  int64_t since;
  uint64_t got; /* where its locks begin */
  uint16_t path;
  int8_t before; /* the phase of the frame beneath a task, which it has again after that */
  uint8_t means, kind, phase;
  bool holds;
};

struct pomp_open {
  struct frame *frames;
  uint64_t depth, room;
  int64_t *got; /* rows of events: locks that the frames have got */
  uint64_t locks, lock_room;
};

typedef struct pomp_understanding Run;

static inline struct frame *top_of(const Run *run) {
  struct pomp_open *open = run->open;
  return open->depth ? &open->frames[open->depth - 1] : NULL;
}

static inline unsigned path_here(const Run *run) {
  const struct frame *f = top_of(run);
  return f ? f->path : 0;
}

/* The newest frame that is a construct, from one on. */
static inline struct frame *construct_from(const Run *run, struct frame *f) {
  struct frame *lowest = run->open->frames;
  while (f && !f->kind)
    f = f > lowest ? f - 1 : NULL;
  return f;
}

static inline unsigned entering(unsigned kind, unsigned how) {
  return POMP_TRACE_ENTER | kind << 3 | how;
}

static inline struct frame *push(Run *run, struct frame frame) {
  struct pomp_open *open = run->open;
  if (open->depth == open->room) {
    uint64_t room = open->room ? 2 * open->room : 64;
    struct frame *frames = realloc(open->frames, room * sizeof *frames);
    if (!frames)
      return NULL;
    open->frames = frames;
    open->room = room;
  }
  frame.got = open->locks;
  open->frames[open->depth++] = frame;
  return top_of(run);
}

static inline bool keep_lock(struct pomp_open *open, uint64_t row) {
  if (open->locks == open->lock_room) {
    uint64_t room = open->lock_room ? 2 * open->lock_room : 16;
    int64_t *got = realloc(open->got, room * sizeof *got);
    if (!got)
      return false;
    open->got = got;
    open->lock_room = room;
  }
  open->got[open->locks++] = (int64_t)row;
  return true;
}

static inline int say_at(Run *run, unsigned op, unsigned path, int64_t time) {
  uint64_t row = run->out.count;
  if (row >= run->out.room)
    return POMP_UNDERSTAND_ROOM;
  run->out_time[row] = time;
  run->out_op[row] = (uint8_t)op;
  run->out_path[row] = (uint16_t)path;
  run->out.count++;
  return POMP_UNDERSTAND_FINE;
}

static inline int say(Run *run, unsigned op, unsigned path) {
  return say_at(run, op, path, run->now);
}

/* Appends an event at the time of the next event or an earlier one. */
static inline int tell(Run *run, uint64_t row, int64_t value) {
  if (run->values.count >= run->values.room)
    return POMP_UNDERSTAND_ROOM;
  run->value_row[run->values.count] = (int64_t)row;
  run->value[run->values.count++] = value;
  return POMP_UNDERSTAND_FINE;
}

static inline int say_value(Run *run, unsigned op, unsigned path, int64_t value, int64_t time) {
  int error = tell(run, run->out.count, value);
  return error ? error : say_at(run, op, path, time);
}

static inline int begin_phase(Run *run, struct frame *f, unsigned phase, unsigned op) {
  f->phase = (uint8_t)phase;
  return say(run, op | phase, f->path);
}

#endif
