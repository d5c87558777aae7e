/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "calibrate.h"

#include "arena.h"
#include "event.h"
#include "slow.h"
#include "team.h"

#include <string.h>

/* The events themselves, by a location that no report sees.  The least of several tries is
 * what they cost when nothing comes between. */
enum { TRIES = 8, TURNS = 16, FRAMES = 8, REGION = 1 << 30 };

#define LONGEST UINT64_C(60000) /* nanoseconds, of all tries for one kind of visit */

static OMPRegDescr place = {.name = "region", .data = (void *)(uintptr_t)REGION};
static struct pomp_location_record location;
static struct pomp_thread itself;
static struct pomp_team team;
static uint64_t row[POMP_COLUMNS];

static void visit_pair(void) {
  POMP_Begin(&place);
  POMP_End(&place);
}

static void visit_with_steps(void) {
  POMP_Critical_enter(&place);
  POMP_Critical_begin(&place);
  POMP_Critical_end(&place);
  POMP_Critical_exit(&place);
}

static void visit_parallel(void) {
  POMP_Parallel_fork(&place);
  POMP_Set_team(POMP_Get_team());
  POMP_Parallel_begin(&place);
  POMP_Barrier_enter(&place);
  POMP_Barrier_exit(&place);
  POMP_Parallel_end(&place);
  POMP_Parallel_join(&place);
}

static bool make(void) {
  struct pomp_stack_record *r = pomp_private(sizeof *r + FRAMES * sizeof *r->frames);
  if (!r)
    return false;
  r->capacity = FRAMES;
  itself.stack->record = r;
  itself.location = &location;
  itself.unused_teams = &team;
  itself.nowhere[POMP_SELF] = POMP_NO_REGION << 32;
  itself.nowhere[POMP_CHILD] = (uintptr_t)row;
  itself.nowhere[POMP_OUTERMOST] = (uintptr_t)itself.nowhere;
  row[POMP_SELF] = (uint64_t)REGION << 32;
  row[POMP_CHILD] = (uintptr_t)itself.nowhere;
  row[POMP_OUTERMOST] = (uintptr_t)row;
  pomp_mode_settle(&itself);
  pomp_counters_attach(&itself, false);
  return true;
}

struct cost {
  uint64_t total, within; /* ticks of TURNS visits */
};

static struct cost cost_of(void (*visit)(void)) {
  struct cost least = {UINT64_MAX, 0};
  uint64_t end = pomp_clock_nanoseconds() + LONGEST;
  for (int i = 0; i < TRIES && (i < 2 || pomp_clock_nanoseconds() < end); i++) {
    memset(row, 0, POMP_SUMS * sizeof *row);
    uint64_t from = pomp_now();
    for (int turn = 0; turn < TURNS; turn++)
      visit();
    uint64_t took = pomp_elapsed(from, pomp_now());
    if (took < least.total)
      least = (struct cost){took, row[POMP_EXEC_T]};
  }
  return least;
}

static void describe(struct cost pair, struct cost steps, struct cost parallel) {
  struct pomp_costs_record *r = pomp_arena_record(sizeof *r);
  if (!r)
    return;
  r->visits = TURNS;
  r->pair = pair.total;
  r->pair_within = pair.within;
  r->step = pomp_elapsed(pair.total, steps.total) / 2;
  r->parallel = parallel.total;
  r->parallel_within = parallel.within;
  pomp_arena_publish(r, POMP_RECORD_COSTS);
}

void pomp_calibrate(void) {
  struct pomp_thread *self = pomp_self;
  if (!make())
    return;
  pomp_self = &itself;
  struct cost pair = cost_of(visit_pair);
  struct cost steps = cost_of(visit_with_steps);
  struct cost parallel = cost_of(visit_parallel);
  pomp_self = self;
  pomp_counters_detach(&itself);
  describe(pair, steps, parallel);
}
