/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "calibration/self_measurement.h"

#include "counters/counters.h"
#include "events/prices.h"
#include "location/thread.h"
#include "profile/stack.h"
#include "system/init_lock.h"
#include "tasks/team.h"

#include <string.h>

/* The least of several tries is what events cost when nothing comes between.  The first try is
 * cold, and an interruption that spoils another one may take all the time there is. */
enum { TRIES = 8, LEAST_TRIES = 3, FRAMES = 8, MOST_WORDS = 16, REGION = 1 << 30 };

#define LONGEST UINT64_C(60000) /* nanoseconds, of all tries for one kind of visit */

OMPRegDescr pomp_self_measurement_region = {.name = "region",
                                            .data = (void *)(uintptr_t)REGION,
                                            .size = sizeof(OMPRegDescr),
                                            .flags = POMP_ARRIVAL};

static struct pomp_location_record location;
static struct pomp_thread itself;
static struct pomp_team team;
static uint64_t rows[POMP_SELF_MEASUREMENT_PATH + 1][POMP_COLUMNS],
    *row = rows[POMP_SELF_MEASUREMENT_PATH], *blocks[] = {rows[0]};
static uint64_t words[POMP_SELF_MEASUREMENT_TURNS * MOST_WORDS]; /* of a trace without readers */

bool pomp_self_measurement_make(void) {
  struct pomp_stack_record *r = pomp_private(sizeof *r + FRAMES * sizeof *r->frames);
  if (!r)
    return false;
  r->capacity = FRAMES;
  itself.stack->record = r;
  itself.location = &location;
  itself.unused_teams = &team;
  itself.nowhere[POMP_SELF] = POMP_NO_REGION << 32;
  itself.nowhere[POMP_CHILD] = (uintptr_t)row;
  itself.nowhere[POMP_NEXT] = (uintptr_t)itself.nowhere;
  itself.nowhere[POMP_OUTERMOST] = (uintptr_t)itself.nowhere;
  row[POMP_SELF] = (uint64_t)REGION << 32;
  row[POMP_CHILD] = row[POMP_NEXT] = (uintptr_t)itself.nowhere;
  row[POMP_OUTERMOST] = (uintptr_t)row; /* POMP_TASKS, too */
  itself.blocks = blocks;
  itself.block_count = 1;
  itself.trace =
      (struct pomp_trace){.next = words, .end = words + sizeof words / 8, .base = pomp_now()};
  return true;
}

struct pomp_thread *pomp_self_measurement_begin(void) {
  struct pomp_thread *self = pomp_self;
  pomp_settle(&itself);
  pomp_counters_attach(&itself, false);
  pomp_self = &itself;
  return self;
}

void pomp_self_measurement_end(struct pomp_thread *self) {
  pomp_self = self;
  pomp_counters_detach(&itself);
}

bool pomp_self_measurement_is_fast(void) { return pomp_mode_counts(pomp_mode_of(&itself)); }

struct pomp_cost pomp_cost_of(void (*visit)(void)) {
  struct pomp_cost least = {UINT64_MAX, 0};
  uint64_t end = pomp_clock_nanoseconds() + LONGEST;
  for (int i = 0; i < TRIES && (i < LEAST_TRIES || pomp_clock_nanoseconds() < end); i++) {
    memset(row, 0, POMP_SUMS * sizeof *row);
    itself.trace.next = words;
    pomp_clock_settle();
    uint64_t from = pomp_now();
    for (int turn = 0; turn < POMP_SELF_MEASUREMENT_TURNS; turn++)
      visit();
    pomp_clock_settle();
    uint64_t took = pomp_elapsed(from, pomp_now());
    if (took < least.total)
      least = (struct pomp_cost){took, row[POMP_EXEC_T]};
  }
  return least;
}

static struct pomp_cost added(void (*visit)(void), void (*bare)(void)) {
  struct pomp_cost with = pomp_cost_of(visit), without = pomp_cost_of(bare);
  uint64_t total = pomp_elapsed(without.total, with.total);
  uint64_t within = pomp_elapsed(without.total, with.within);
  return (struct pomp_cost){total, within < total ? within : total};
}

/* If events seem to cost nothing, the loop without them was interrupted. */
struct pomp_cost pomp_cost_added(void (*visit)(void), void (*bare)(void)) {
  struct pomp_cost cost = added(visit, bare);
  for (int again = 0; again < 3 && !cost.total; again++)
    cost = added(visit, bare);
  return cost;
}

struct pomp_timed pomp_timed(void (*visit)(void)) {
  struct pomp_timed least = {1e18, 0};
  uint64_t end = pomp_clock_nanoseconds() + LONGEST;
  for (int i = 0; i < TRIES && (i < LEAST_TRIES || pomp_clock_nanoseconds() < end); i++) {
    memset(itself.prices, 0, sizeof itself.prices);
    itself.trace.next = words;
    for (int turn = 0; turn < POMP_SELF_MEASUREMENT_TURNS; turn++) {
      for (int kind = 0; kind < POMP_PRICES; kind++)
        itself.prices[kind].turn = POMP_PRICE_EVERY;
      visit();
    }
    struct pomp_timed timed = {0, 0};
    for (const struct pomp_price *p = itself.prices; p < itself.prices + POMP_PRICES; p++)
      if (p->count)
        timed.ticks += (double)p->ticks / p->count, timed.events++;
    if (timed.ticks < least.ticks)
      least = timed;
  }
  return least;
}

double pomp_self_measurement_timed(int kind) {
  const struct pomp_price *p = &itself.prices[kind];
  return p->count ? (double)p->ticks / p->count : 0;
}

static uint64_t own_self, own_child;

/* The task runs in a wait, as all tasks do, so that the wait's own time is booked apart. */
static void begin_wait(void) {
  own_self = row[POMP_SELF], own_child = row[POMP_CHILD];
  row[POMP_SELF] |= (uint64_t)POMP_PATH_TASK << 32;
  row[POMP_CHILD] = (uintptr_t)row;
  pomp_push(&itself, REGION, POMP_FRAME_WAIT, row, 0, pomp_now());
}

static void end_wait(void) {
  itself.stack->record->depth = 0;
  row[POMP_SELF] = own_self, row[POMP_CHILD] = own_child;
}

struct pomp_cost pomp_cost_of_task(void (*visit)(void)) {
  begin_wait();
  struct pomp_cost cost = pomp_cost_of(visit);
  end_wait();
  return cost;
}

struct pomp_timed pomp_timed_task(void (*visit)(void)) {
  begin_wait();
  struct pomp_timed timed = pomp_timed(visit);
  end_wait();
  return timed;
}
