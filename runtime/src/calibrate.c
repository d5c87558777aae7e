/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "calibrate.h"

#include "arena.h"
#include "event.h"
#include "ompt.h"
#include "slow.h"
#include "team.h"

#include <string.h>

/* The events themselves, by a location that no report sees.  The least of several tries is
 * what they cost when nothing comes between. */
enum { TRIES = 8, TURNS = 32, FRAMES = 8, MOST_WORDS = 16, REGION = 1 << 30 };

#define LONGEST UINT64_C(60000) /* nanoseconds, of all tries for one kind of visit */

static OMPRegDescr place = {.name = "region", .data = (void *)(uintptr_t)REGION};
static struct pomp_location_record location;
static struct pomp_thread itself;
static struct pomp_team team;
static uint64_t row[POMP_COLUMNS];
static struct pomp_costs_record *record;
static int word;
static uint64_t words[TURNS * MOST_WORDS]; /* of a trace that nobody reads */

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

static void bare_atomic(void) { __atomic_fetch_add(&word, 1, __ATOMIC_RELAXED); }

static void visit_atomic(void) {
  POMP_Atomic_enter(&place);
  bare_atomic();
  POMP_Atomic_exit(&place);
}

/* The calls that compilers make of a critical section with a name: libomp's, libgomp's. */
struct source_place {
  int32_t reserved, flags, more[2];
  const char *text;
};
int32_t __kmpc_global_thread_num(const struct source_place *) __attribute__((weak));
void __kmpc_critical(const struct source_place *, int32_t, void *) __attribute__((weak));
void __kmpc_end_critical(const struct source_place *, int32_t, void *) __attribute__((weak));
void GOMP_critical_name_start(void **) __attribute__((weak));
void GOMP_critical_name_end(void **) __attribute__((weak));

static const struct source_place nowhere = {.flags = 2, .text = ";unknown;unknown;0;0;;"};
static void *kmp_name[4], *gomp_name;
static int32_t kmp_thread;

static void begin_critical(void) {
  if (__kmpc_critical)
    __kmpc_critical(&nowhere, kmp_thread, kmp_name);
  else
    GOMP_critical_name_start(&gomp_name);
}

static void end_critical(void) {
  if (__kmpc_critical)
    __kmpc_end_critical(&nowhere, kmp_thread, kmp_name);
  else
    GOMP_critical_name_end(&gomp_name);
}

static void bare_critical(void) {
  begin_critical();
  word++;
  end_critical();
}

static void visit_critical(void) {
  POMP_Critical_enter(&place);
  begin_critical();
  POMP_Critical_begin(&place);
  word++;
  POMP_Critical_end(&place);
  end_critical();
  POMP_Critical_exit(&place);
}

static bool has_critical(void) {
  return __kmpc_critical ? __kmpc_end_critical && __kmpc_global_thread_num
                         : GOMP_critical_name_start && GOMP_critical_name_end;
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
  itself.trace =
      (struct pomp_trace){.next = words, .end = words + TURNS * MOST_WORDS, .base = pomp_now()};
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
    itself.trace.next = words;
    uint64_t from = pomp_now();
    for (int turn = 0; turn < TURNS; turn++)
      visit();
    uint64_t took = pomp_elapsed(from, pomp_now());
    if (took < least.total)
      least = (struct cost){took, row[POMP_EXEC_T]};
  }
  return least;
}

/* What the construct itself does while events wait for the clock costs nothing there. */
static struct cost added(struct cost with, struct cost bare) {
  uint64_t total = pomp_elapsed(bare.total, with.total);
  uint64_t within = pomp_elapsed(bare.total, with.within);
  return (struct cost){total, within < total ? within : total};
}

static void describe(struct cost pair, struct cost steps, struct cost parallel,
                     struct cost atomic) {
  struct pomp_costs_record *r = record = pomp_arena_record(sizeof *r);
  if (!r)
    return;
  r->atomic = atomic.total;
  r->atomic_within = atomic.within;
  r->visits = TURNS;
  r->pair = pair.total;
  r->pair_within = pair.within;
  r->step = pomp_elapsed(pair.total, steps.total) / 2;
  r->parallel = parallel.total;
  r->parallel_within = parallel.within;
  pomp_arena_publish(r, POMP_RECORD_COSTS);
}

/* The calling thread's events are the trial's, until the end. */
static struct pomp_thread *begin(void) {
  struct pomp_thread *self = pomp_self;
  pomp_mode_settle(&itself);
  pomp_counters_attach(&itself, false);
  pomp_self = &itself;
  return self;
}

static void end(struct pomp_thread *self) {
  pomp_self = self;
  pomp_counters_detach(&itself);
}

void pomp_calibrate(void) {
  if (!make())
    return;
  struct pomp_thread *self = begin();
  struct cost pair = cost_of(visit_pair);
  struct cost steps = cost_of(visit_with_steps);
  struct cost parallel = cost_of(visit_parallel);
  struct cost atomic = added(cost_of(visit_atomic), cost_of(bare_atomic));
  end(self);
  describe(pair, steps, parallel, atomic);
}

/* An OpenMP tool of ours is to be there when the OpenMP runtime starts up, and would be told of the
 * trial. */
void pomp_calibrate_critical(OMPRegDescr *d) {
  static _Atomic bool tried;
  if (tried || !has_critical() || !pomp_start() || atomic_exchange(&tried, true))
    return;
  pomp_region(d);
  kmp_thread = __kmpc_critical ? __kmpc_global_thread_num(&nowhere) : 0;
  if (!record || pomp_ompt_runtime() || pomp_is_muted() || !pomp_slow_begin())
    return;
  struct pomp_thread *self = begin();
  struct cost critical = added(cost_of(visit_critical), cost_of(bare_critical));
  end(self);
  record->critical_within = critical.within;
  record->critical = critical.total;
  pomp_slow_end();
}
