/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "calibration/calibrate.h"

#include "calibration/self_measurement.h"
#include "events/calls.h"
#include "events/event.h"
#include "events/prices.h"
#include "location/arena.h"
#include "ompt/ompt.h"
#include "system/init_lock.h"

static struct pomp_costs_record *record;
static struct pomp_cost inlined_pair;

/* Ticks: of Get_creation with Set_creation, and the surplus of an event's time, as
 * events/prices.h takes it, over its cost. */
static double creation_handed;
static struct {
  double creation, wait, task, parallel;
} surplus;
static double lone_join; /* ticks: as events/prices.h takes it, of a thread without a team */
static int word;

/* An event as it is called, and as it stands in a program that has it inlined. */
#define CALLED(event) POMP_##event(&pomp_self_measurement_region)
#define INLINED(event)                                                                             \
  (void)(pomp_fast_event_##event(&pomp_self_measurement_region) || (CALLED(event), true))

static void visit_pair(void) {
  CALLED(Begin);
  CALLED(End);
}

static void visit_inlined_pair(void) {
  INLINED(Begin);
  INLINED(End);
}

static void visit_with_steps(void) {
  CALLED(Critical_enter);
  CALLED(Critical_begin);
  CALLED(Critical_end);
  CALLED(Critical_exit);
}

static void visit_parallel(void) {
  CALLED(Parallel_fork);
  POMP_Set_team(POMP_Get_team());
  CALLED(Parallel_begin);
  CALLED(Parallel_end);
  CALLED(Parallel_join);
}

static void bare_atomic(void) { __atomic_fetch_add(&word, 1, __ATOMIC_RELAXED); }

static void visit_atomic(void) {
  CALLED(Atomic_enter);
  bare_atomic();
  CALLED(Atomic_exit);
}

static void visit_creation(void) {
  void *task = POMP_Get_task();
  CALLED(Task_enter);
  (void)POMP_Get_creation();
  POMP_Set_task(task);
  CALLED(Task_exit);
}

static void visit_handed_creation(void) {
  (void)POMP_Get_creation();
  POMP_Set_creation((void *)POMP_SELF_MEASUREMENT_PATH);
}

static void visit_task(void) {
  POMP_Set_creation((void *)POMP_SELF_MEASUREMENT_PATH);
  CALLED(Task_begin);
  CALLED(Task_end);
}

static void visit_wait(void) {
  void *task = POMP_Get_task();
  CALLED(Taskwait_enter);
  POMP_Set_task(task);
  CALLED(Taskwait_exit);
}

/* The calls that compilers make of a critical section with a name, and of a master block:
 * libomp's, libgomp's. */
struct source_place {
  int32_t reserved, flags, more[2];
  const char *text;
};
int32_t __kmpc_global_thread_num(const struct source_place *) __attribute__((weak));
void __kmpc_critical(const struct source_place *, int32_t, void *) __attribute__((weak));
void __kmpc_end_critical(const struct source_place *, int32_t, void *) __attribute__((weak));
int32_t __kmpc_master(const struct source_place *, int32_t) __attribute__((weak));
void __kmpc_end_master(const struct source_place *, int32_t) __attribute__((weak));
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

static void bare_master(void) {
  if (__kmpc_master(&nowhere, kmp_thread)) {
    word++;
    __kmpc_end_master(&nowhere, kmp_thread);
  }
}

#define BLOCKS(how, EVENT)                                                                         \
  static void how##_critical(void) {                                                               \
    EVENT(Critical_enter);                                                                         \
    begin_critical();                                                                              \
    EVENT(Critical_begin);                                                                         \
    word++;                                                                                        \
    EVENT(Critical_end);                                                                           \
    end_critical();                                                                                \
    EVENT(Critical_exit);                                                                          \
  }                                                                                                \
  static void how##_master(void) {                                                                 \
    if (__kmpc_master(&nowhere, kmp_thread)) {                                                     \
      EVENT(Master_begin);                                                                         \
      word++;                                                                                      \
      EVENT(Master_end);                                                                           \
      __kmpc_end_master(&nowhere, kmp_thread);                                                     \
    }                                                                                              \
  }
BLOCKS(called, CALLED)
BLOCKS(inlined, INLINED)

/* The surplus for each of a visit's events; `apart` is the part of the visit that is not timed. */
static double surplus_of(struct pomp_timed timed, struct pomp_cost visit, double apart) {
  double cost = (double)visit.total / POMP_SELF_MEASUREMENT_TURNS - apart;
  double over = timed.events ? (timed.ticks - cost) / timed.events : 0;
  return over > 0 ? over : 0;
}

void pomp_calibrate(void) {
  struct pomp_costs_record *r = NULL;
  if (!pomp_self_measurement_make() || !(r = pomp_arena_record(sizeof *r)))
    return;
  struct pomp_thread *self = pomp_self_measurement_begin();
  struct pomp_cost pair = pomp_cost_of(visit_pair);
  inlined_pair = pomp_cost_of(visit_inlined_pair);
  struct pomp_cost steps = pomp_cost_of(visit_with_steps);
  struct pomp_cost parallel = pomp_cost_of(visit_parallel);
  struct pomp_cost atomic = pomp_cost_added(visit_atomic, bare_atomic);
  struct pomp_cost bare = pomp_cost_of(bare_atomic);
  struct pomp_cost creation = pomp_cost_of(visit_creation);
  struct pomp_cost task = pomp_cost_of_task(visit_task);
  struct pomp_cost wait = pomp_cost_of(visit_wait);
  creation_handed = (double)pomp_cost_of(visit_handed_creation).total / POMP_SELF_MEASUREMENT_TURNS;
  surplus.creation = surplus_of(pomp_timed(visit_creation), creation, creation_handed / 2);
  surplus.task = surplus_of(pomp_timed_task(visit_task), task, creation_handed / 2);
  surplus.wait = surplus_of(pomp_timed(visit_wait), wait, 0);
  surplus.parallel = surplus_of(pomp_timed(visit_parallel), parallel, 0);
  lone_join = pomp_self_measurement_timed(POMP_PRICE_JOIN);
  pomp_self_measurement_end(self);
  r->visits = POMP_SELF_MEASUREMENT_TURNS;
  r->pair = pair.total, r->pair_within = pair.within;
  r->step = pomp_elapsed(pair.total, steps.total) / 2;
  r->parallel = parallel.total, r->parallel_within = parallel.within;
  r->creation = creation.total;
  r->atomic = atomic.total, r->atomic_within = atomic.within;
  r->task = task.total, r->task_within = task.within;
  r->wait = wait.total, r->wait_within = wait.within;
  r->atomic_bare = bare.total;
  record = r;
  pomp_arena_publish(r, POMP_RECORD_COSTS);
}

/* The mean price in the program takes the place of what the trial came to; `within` keeps its
 * share. */
static void charge(uint64_t *total, uint64_t *within, double price) {
  uint64_t charged = (uint64_t)(price * POMP_SELF_MEASUREMENT_TURNS);
  if (within && *total)
    *within = (uint64_t)((double)*within / (double)*total * (double)charged);
  *total = charged;
}

/* Ticks for a cache line to get from a member to its master: what a join takes longer in a team. */
static double line_handed(void) {
  int threads = 0;
  for (struct pomp_thread *t = atomic_load_explicit(&pomp_threads, memory_order_acquire); t;
       t = t->next)
    threads++;
  double longer = pomp_price_mean(POMP_PRICE_JOIN, lone_join);
  return longer / (threads > 2 ? threads - 1 : 1);
}

/* All of a team wait for its slowest member, and twice for a cache line.  A fork and a member's end
 * store to lines that other threads have read.  The processor has to fetch such a line first.  What
 * the OpenMP runtime stores next waits behind it, after the event's time has been taken. */
static void charge_parallel(void) {
  double over = surplus.parallel;
  double master = pomp_price_mean(POMP_PRICE_BEGIN, over) + pomp_price_mean(POMP_PRICE_END, over);
  double worker =
      pomp_price_mean(POMP_PRICE_BEGIN_WORKER, over) + pomp_price_mean(POMP_PRICE_END_WORKER, over);
  double alone = pomp_price_mean(POMP_PRICE_FORK, over) + pomp_price_mean(POMP_PRICE_JOIN, over);
  if (alone > 0)
    charge(&record->parallel, &record->parallel_within,
           alone + (worker > master ? worker : master) + 2 * line_handed());
}

/* A creation and a wait keep the task, which must be the same after them. */
static double task_kept(double over) {
  return pomp_price_mean(POMP_PRICE_GET_TASK, over) + pomp_price_mean(POMP_PRICE_SET_TASK, over);
}

static void charge_tasks(void) {
  double creation = pomp_price_mean(POMP_PRICE_TASK_ENTER, surplus.creation) +
                    pomp_price_mean(POMP_PRICE_TASK_EXIT, surplus.creation);
  double task = pomp_price_mean(POMP_PRICE_TASK_BEGIN, surplus.task) +
                pomp_price_mean(POMP_PRICE_TASK_END, surplus.task);
  double wait = pomp_price_mean(POMP_PRICE_WAIT_ENTER, surplus.wait) +
                pomp_price_mean(POMP_PRICE_WAIT_EXIT, surplus.wait);
  if (creation > 0)
    charge(&record->creation, NULL, creation + task_kept(surplus.creation) + creation_handed / 2);
  if (task > 0)
    charge(&record->task, &record->task_within, task + creation_handed / 2);
  if (wait > 0)
    charge(&record->wait, &record->wait_within, wait + task_kept(surplus.wait));
}

void pomp_calibrate_end(void) {
  if (!record)
    return;
  if (pomp_calls_are_inlined())
    record->pair = inlined_pair.total, record->pair_within = inlined_pair.within;
  charge_parallel();
  charge_tasks();
}

static bool has_critical(void) {
  return __kmpc_critical ? __kmpc_end_critical && __kmpc_global_thread_num
                         : GOMP_critical_name_start && GOMP_critical_name_end;
}

static bool has_master(void) {
  return __kmpc_master && __kmpc_end_master && __kmpc_global_thread_num;
}

/* Another OpenMP tool would see these events.  This is known only after the OpenMP runtime has
 * started. */
static bool is_to_be_tried(OMPRegDescr *d) {
  pomp_region(d);
  if (__kmpc_critical)
    __kmpc_global_thread_num(&nowhere);
  return record && !pomp_is_muted() && (!__kmpc_critical || pomp_ompt_is_alone());
}

static bool is_master(void) {
  int32_t thread = __kmpc_global_thread_num(&nowhere);
  bool is = __kmpc_master(&nowhere, thread);
  if (is)
    __kmpc_end_master(&nowhere, thread);
  return is;
}

static struct pomp_cost added(void (*called)(void), void (*inlined)(void), void (*bare)(void)) {
  struct pomp_thread *self = pomp_self_measurement_begin();
  kmp_thread = __kmpc_critical ? __kmpc_global_thread_num(&nowhere) : 0;
  bool is_short = pomp_calls_are_inlined() && pomp_self_measurement_is_fast();
  struct pomp_cost cost = pomp_cost_added(is_short ? inlined : called, bare);
  pomp_self_measurement_end(self);
  return cost;
}

void pomp_calibrate_critical(OMPRegDescr *d) {
  static _Atomic bool begun;
  if (begun || !has_critical() || !pomp_start() || atomic_exchange(&begun, true) ||
      !is_to_be_tried(d) || !pomp_init_lock())
    return;
  struct pomp_cost critical = added(called_critical, inlined_critical, bare_critical);
  record->critical_within = critical.within;
  record->critical = critical.total;
  pomp_init_unlock();
}

void pomp_calibrate_master(OMPRegDescr *d) {
  static _Atomic bool begun;
  if (begun || !has_master() || !pomp_start() || atomic_exchange(&begun, true) ||
      !is_to_be_tried(d) || !is_master() || !pomp_init_lock())
    return;
  struct pomp_cost master = added(called_master, inlined_master, bare_master);
  record->master_within = master.within;
  record->master = master.total;
  pomp_init_unlock();
}
