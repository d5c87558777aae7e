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
  int64_t met; /* when it came to the barrier that `ordinal` is of */
  int32_t visit;
  uint32_t region; /* where the parallel region is on the stack whose barriers are met; 0: none */
  int32_t barriers;
  int32_t ordinal; /* of the barrier that it is or came to last, -1 for none */
  int32_t lock;    /* a critical's row: NOT_GOT, GIVEN_UP */
  uint16_t path;
  uint16_t phase_path;
  uint8_t kind, how, phase;
};

enum { NOT_GOT = -1, GIVEN_UP = -2 };

/* `frames` begins with one that stands for none; `newest` is what was opened last, and `last` where
 * the room ends. */
struct machine {
  struct pomp_replaying *run;
  struct frame *frames, *newest, *last;
  struct pomp_locks held;
  int64_t released;     /* when a lock's release was called */
  int64_t left;         /* the row of the team that the thread has left; -1 */
  int64_t lowest_left;  /* the same when the lowest frame was opened */
  int64_t left_met;     /* when it came to the last barrier that it met there */
  int32_t left_ordinal; /* of that one, -1 for none */
  int32_t closed;       /* the newest visit that is; -1 */
  unsigned closed_path;
  int64_t closed_begin, closed_end;
  int64_t now;     /* where the time line ends */
  int64_t *ticks;  /* of what the newest stretch is, where that is told */
  int64_t *serial; /* the same, outside teams */
  int64_t unused;  /* where both point otherwise */
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

/* To a call path's column. */
static inline void book(const struct machine *m, unsigned path, unsigned column, uint64_t amount) {
  if (m->run->sums)
    m->run->sums[(uint64_t)path * POMP_SUMS + column] += amount;
}

static inline bool is_open(const struct machine *m) { return m->newest != m->frames; }

static inline uint32_t depth_of(const struct machine *m) {
  return (uint32_t)(m->newest - m->frames);
}

#endif
