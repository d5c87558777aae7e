/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a thread has open while its events are run through, as the runtime had it. */
#ifndef POMP_REPLAY_MACHINE_H
#define POMP_REPLAY_MACHINE_H

#include "columns.h"
#include "locks.h"

#include "trace_format.h"

struct frame {
  int64_t begin;
  int64_t since;      /* of the phase */
  uint64_t startup;   /* of a parallel region, before its begin */
  uint64_t still;     /* ticks that are another task's */
  uint64_t still_now; /* of those, in this phase */
  uint64_t away;      /* those that are not the frames' beneath */
  int64_t team;
  int32_t visit;
  uint32_t region; /* the place on the stack of the innermost parallel region; 0: none */
  int32_t barriers;
  int32_t lock; /* a critical's row: NOT_GOT, GIVEN_UP */
  uint16_t path;
  uint16_t phase_path;
  uint8_t kind, how, phase;
};

enum { NOT_GOT = -1, GIVEN_UP = -2 };

/* `frames` begins with one that stands for none. */
struct machine {
  struct pomp_replaying *run;
  struct frame *frames;
  uint64_t depth, room;
  struct pomp_locks held;
  int64_t released;    /* when a lock's release was called */
  int64_t left;        /* the row of the team that the thread has left; -1 */
  int64_t lowest_left; /* the same when the lowest frame was opened */
  int32_t closed;      /* the newest visit that is; -1 */
  unsigned closed_path;
  int64_t closed_begin, closed_end;
  int64_t now;     /* where the time line ends */
  int64_t *ticks;  /* of what the newest stretch is, where that is told; NULL */
  int64_t *serial; /* the same, outside teams */
};

static inline uint64_t elapsed(int64_t from, int64_t to) {
  return to > from ? (uint64_t)to - (uint64_t)from : 0;
}

static inline uint64_t without(uint64_t ticks, uint64_t others) {
  return ticks > others ? ticks - others : 0;
}

static inline int64_t earlier(int64_t time, uint64_t ticks) {
  return (int64_t)((uint64_t)time - ticks);
}

static inline void add_ticks(int64_t *sum, uint64_t ticks) {
  *sum = (int64_t)((uint64_t)*sum + ticks);
}

static inline uint64_t *sums_of(const struct machine *m, unsigned path) {
  return m->run->sums + (uint64_t)path * POMP_SUMS;
}

static inline struct frame *top_of(const struct machine *m) { return &m->frames[m->depth]; }

#endif
