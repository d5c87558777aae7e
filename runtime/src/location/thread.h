/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A location: what a thread of the process has measured, and is doing. */
#ifndef POMP_THREAD_H
#define POMP_THREAD_H

#include "layout.h"
#include "location/format.h"
#include "system/clock.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

struct pomp_task;
struct pomp_team;
struct pomp_counters;
struct pomp_mpi;
struct pomp_kernels;
struct pomp_iterations;

/* The open regions of the tasks that a thread is in, the newest on top.  An explicit task's regions
 * are the frames from its own, of kind TASK, up to the next frame of that kind.  Tied tasks end on
 * the thread where they began, the last one first. */
struct pomp_stack {
  struct pomp_stack_record *record;
  uint64_t overflow; /* enters without a frame whose exits are still to come */
  uint32_t base;     /* the newest task's frame, counted from 1; 0: no explicit task */
};

/* A member that has left its team's region, until its time up to the join is booked.  `serial` is 0
 * if nothing is left to book.  The thread that sets it to 0 books the rest: mostly the member
 * itself, in its next team.  At the join the master reads the first cache line of each member. */
struct pomp_team_exit {
  _Alignas(64) _Atomic uint64_t begun; /* the team that it began in last, of which it knows all */
  _Atomic uint64_t left;               /* the team that it left last, whether booked or not */
  _Atomic uint64_t newest; /* ticks: its arrival, or the end of the newest task in the barrier */
  _Atomic uint64_t open;   /* ticks: the begin of a task that has not said its end yet; 0: none */
  _Alignas(64) _Atomic uint64_t serial; /* the same team, until it is booked */
  _Atomic uint64_t since;
  _Atomic uint64_t waits;  /* ticks: in the barrier at the region's end; 0: unknown */
  _Atomic uint64_t tasks;  /* ticks that it ran tasks in there */
  _Atomic uint64_t waited; /* ticks: in a barrier before it */
  uint64_t *_Atomic slot;
  struct pomp_thread *_Atomic master;
  _Atomic uint32_t bookers; /* other threads that are booking for the member */
  bool told;                /* the OpenMP runtime is going to tell of that barrier */
  uint64_t known;           /* the team whose join this thread's trace has; its own to use */
};

/* How a thread's events are treated. */
enum pomp_mode {
  POMP_MEASURES,
  POMP_SKIPS,       /* between POMP_Off and POMP_On */
  POMP_IGNORES,     /* nothing is measured in this process, or no more */
  POMP_CALLS,       /* there is more to it than the short way knows */
  POMP_RECORDS = 4, /* a bit: measures, and keeps every event */
};

/* An open visit that does not count, as it would stand in a frame. */
struct pomp_muted_visit {
  uint32_t region;
  uint32_t kind_phase_flags;
};

enum { POMP_MOST_MUTED_VISITS = 64 };

/* A lock that the thread tried to get in vain: by its newest event, at that moment. */
struct pomp_tried {
  void *lock; /* NULL: none */
  uint64_t last, slot;
  uint64_t since; /* ticks: the first of several attempts */
};

/* Place where a location's events are recorded: runtime/src/trace/trace.h. */
struct pomp_trace {
  uint64_t *next, *end; /* of a block; there is a margin beyond the end */
  uint64_t base;        /* ticks: the block's */
  struct pomp_trace_file *file;
};

/* The events that have prices: runtime/src/events/prices.h. */
enum pomp_priced {
  POMP_PRICE_FORK,
  POMP_PRICE_BEGIN,
  POMP_PRICE_BEGIN_WORKER,
  POMP_PRICE_END,
  POMP_PRICE_END_WORKER,
  POMP_PRICE_JOIN,
  POMP_PRICE_TASK_ENTER,
  POMP_PRICE_TASK_EXIT,
  POMP_PRICE_TASK_BEGIN,
  POMP_PRICE_TASK_END,
  POMP_PRICE_WAIT_ENTER,
  POMP_PRICE_WAIT_EXIT,
  POMP_PRICE_GET_TASK,
  POMP_PRICE_SET_TASK,
  POMP_PRICES
};

struct pomp_price {
  uint64_t ticks;
  uint32_t count, turn;
};

/* The region of the row `nowhere`: no descriptor has it. */
#define POMP_NO_REGION UINT64_C(0xffffffff)

struct pomp_thread {
  _Atomic uint32_t mode; /* enum pomp_mode; of any thread's making */
  uint32_t skipped;      /* visits, above the stack's */
  struct pomp_stack stack[1];
  struct pomp_location_record *location;
  uint64_t **blocks; /* by call path / POMP_BLOCK_PATHS */
  uint32_t block_count;
  struct pomp_held_record *held;
  struct pomp_team *handed;          /* by POMP_Set_team, for the next begin */
  struct pomp_team *forked;          /* by the newest fork */
  const struct pomp_team *seen_team; /* of the newest begin as another member */
  struct pomp_team *unused_teams;
  struct pomp_task *unused_tasks;
  unsigned unused_task_count;
  uint32_t creation; /* by POMP_Set_creation, for the next begin: a call path */
  uint64_t forks;
  uint64_t serial_since; /* ticks: outside parallel regions; 0: in one */
  struct pomp_tried tried;
  struct pomp_team_exit team_exit;
  uint64_t waited; /* ticks: in the barrier behind which the region's end comes next */
  struct pomp_counters *counters;     /* NULL where nothing is counted */
  struct pomp_mpi *mpi;               /* NULL where MPI was not called */
  struct pomp_kernels *kernels;       /* Kokkos's profiling regions that it is in */
  struct pomp_iterations *loops;      /* whose iterations are recorded */
  struct pomp_iterations *iterations; /* of the loop that it is in; NULL: of none */
  struct pomp_trace trace;
  struct pomp_price prices[POMP_PRICES];
  bool taken; /* by a living thread */
  bool has_clock;
  clockid_t clock; /* of the time that this thread is on a processor */
  uint64_t ran;    /* nanoseconds: what the location has beyond what that clock says */
  uint64_t queued; /* the same of the time that it waited for a processor */
  pid_t system_id; /* its number in /proc */
  struct pomp_thread *next;
  struct pomp_muted_visit muted_visits[POMP_MOST_MUTED_VISITS];
  uint64_t nowhere[POMP_COLUMNS]; /* takes times that are not booked; also the root's row */
};

/* Never NULL: a thread without a location has one of the process's that measures nothing. */
extern __thread struct pomp_thread *pomp_self __asm__(POMP_LAYOUT("pomp_self"))
    __attribute__((tls_model("initial-exec"), visibility("default")));

/* Every location there is; the list only ever grows, at its head. */
extern struct pomp_thread *_Atomic pomp_threads;

/* The calling thread's events are not asked about again, if nothing is measured any more. */
void pomp_thread_ignore(void) __attribute__((cold));

/* The calling thread, if it has a location. */
static inline struct pomp_thread *pomp_current_thread(void) {
  return pomp_self->location ? pomp_self : NULL;
}

static inline enum pomp_mode pomp_mode_of(struct pomp_thread *t) {
  return (enum pomp_mode)atomic_load_explicit(&t->mode, memory_order_relaxed);
}

static inline bool pomp_mode_counts(enum pomp_mode mode) {
  return !(mode & ~(unsigned)POMP_RECORDS);
}

/* Gives the calling thread its location; NULL when there is none to be had. */
struct pomp_thread *pomp_thread_attach(void);

/* The slot of a call path that this location is on for the first time. */
uint64_t *pomp_thread_new_slot(struct pomp_thread *t, uint32_t path);

/* In a forked child: of all locations only the caller's lives, and none has
 * measured anything. */
void pomp_threads_restart(uint64_t now);

/* True when an event was seen since the start (or the fork). */
bool pomp_threads_measured(void);

bool pomp_threads_prepare(void);
void pomp_threads_finish(void);

/* Return the row of a call path, which is all 0 if the location has not met the path; NULL if it
 * has met none near it. */
static inline uint64_t *pomp_row_of(const struct pomp_thread *t, uint32_t path) {
  uint32_t block = path / POMP_BLOCK_PATHS;
  if (__builtin_expect(block >= t->block_count || !t->blocks[block], 0))
    return NULL;
  return t->blocks[block] + (size_t)(path % POMP_BLOCK_PATHS) * POMP_COLUMNS;
}

static inline uint64_t *pomp_slot(struct pomp_thread *t, uint32_t path) {
  uint64_t *row = pomp_row_of(t, path);
  return row ? row : pomp_thread_new_slot(t, path);
}

/* Return the row of a region below another row, if the location met it last there, or after what it
 * met last there; else NULL. */
static inline __attribute__((always_inline)) uint64_t *pomp_expected_below(uint64_t *above,
                                                                           uint32_t region) {
  uint64_t *row = (uint64_t *)(uintptr_t)above[POMP_CHILD];
  if (__builtin_expect(row[POMP_SELF] >> 32 == region, 1))
    return row;
  row = (uint64_t *)(uintptr_t)row[POMP_NEXT];
  if (row[POMP_SELF] >> 32 != region)
    return NULL;
  above[POMP_CHILD] = (uintptr_t)row;
  return row;
}

/* Another thread may book what a member has left to book: then a parallel region's row is shared.
 */
static inline bool pomp_shares_row(const struct pomp_thread *t) {
  return atomic_load_explicit(&t->team_exit.serial, memory_order_acquire) ||
         atomic_load_explicit(&t->team_exit.bookers, memory_order_acquire);
}

/* The thread itself brings its mode up to date: pomp_settle does so for a thread that may have
 * visits open that do not count. */
void pomp_mode_settle(struct pomp_thread *t);

/* After a change for all threads, by any of them: none measures before it has settled. */
void pomp_modes_change(void);

#endif
