/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The open frames of a thread while its events are replayed, as the runtime had them. */
#ifndef POMP_REPLAY_MACHINE_H
#define POMP_REPLAY_MACHINE_H

#include "columns.h"
#include "locks.h"

#include "trace/trace_format.h"

/* Inlined at every optimization level. */
#define POMP_SHORT static inline __attribute__((always_inline))

/* The part of a frame that only the sums need. */
struct spent {
  int64_t since;      /* of the phase */
  uint64_t startup;   /* of a parallel region, before its begin */
  uint64_t still;     /* ticks that are another task's */
  uint64_t still_now; /* of those, in this phase */
  uint64_t away;      /* times that are not those of the frames beneath */
};

/* With a telling, `ticks` are those of the frame's activity, in the table of teams or in that of
 * the time outside of teams. */
struct frame {
  int64_t begin;
  int64_t team;
  int64_t *table;
  int64_t *ticks;
  int64_t met; /* when it came to the barrier that `ordinal` is of */
  int32_t visit;
  uint32_t region; /* where the parallel region is on the stack whose barriers are met; 0: none */
  int32_t barriers;
  int32_t ordinal; /* of the barrier that it is or came to last, -1 for none */
  int32_t lock;    /* a critical's row: NOT_GOT, GIVEN_UP */
  uint16_t path;
  uint16_t phase_path;
  uint8_t kind, how, phase, doing;
  bool is_kept;
  struct spent spent;
};

enum { NOT_GOT = -1, GIVEN_UP = -2 };

/* `frames` begins with a frame that stands for none; `newest` is the frame that was opened last,
 * and `last` the end of the room.  Events run with a copy whose address is not taken, so that the
 * compiler knows that no store to a column changes it.  `kept` is the machine itself. */
struct machine {
  struct machine *kept;
  struct pomp_replaying *run;
  const struct pomp_telling *telling;
  struct frame *frames, *newest, *last;
  uint64_t intervals, visits; /* rows so far */
  struct pomp_locks held;
  int64_t released;           /* when a lock's release was called */
  int64_t left;               /* the row of the team that the thread has left; -1 */
  int64_t lowest_left;        /* the same when the lowest frame was opened */
  int64_t left_met;           /* when it came to the last barrier that it met there */
  int32_t left_ordinal;       /* of that one, -1 for none */
  const struct frame *closed; /* the visit that was closed last, if none was opened since */
  int64_t closed_end;
  int64_t now;      /* where the time line ends */
  int32_t marked;   /* the visit of the newest mark, -1 for none */
  int64_t *ticks;   /* of the newest interval's activity, with a telling */
  int64_t *outside; /* by call path and code, like the sums of a telling: time outside of teams */
  int64_t unused;
};

POMP_SHORT void keep(const struct machine *m) { *m->kept = *m; }

/* Reloads the machine after a call that may have changed it, except for `run` and `telling`, whose
 * values the compiler still knows. */
POMP_SHORT void take_up(struct machine *m) {
  const struct pomp_telling *telling = m->telling;
  struct pomp_replaying *run = m->run;
  *m = *m->kept;
  m->run = run;
  m->telling = telling;
}

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
  if (!m->telling)
    m->run->sums[(uint64_t)path * POMP_SUMS + column] += amount;
}

/* The time of a fork is what a region's startup is. */
static inline uint8_t shown_phase(const struct frame *f) {
  return f->kind == POMP_FRAME_FORK ? POMP_STARTUP_T : f->phase;
}

static inline bool is_open(const struct machine *m) { return m->newest != m->frames; }

static inline uint32_t depth_of(const struct machine *m) {
  return (uint32_t)(m->newest - m->frames);
}

#endif
