/* A tool by OpenMP's own interface that keeps a flat profile: count and time of each construct, by
 * return address and thread. It has no call path, no lock, no allocation.  Such a tool's minimum
 * work for a pair of events, for comparison with POMP. */
#include <omp-tools.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <x86intrin.h>

enum { ROWS = 1024, FRAMES = 64 };
struct row {
  const void *place;
  uint64_t count, ticks;
};
static __thread struct row *rows;
static __thread struct {
  struct row *row;
  uint64_t start;
} open[FRAMES];
static __thread int depth;
static struct row first[64][ROWS];
static int threads;

static struct row *row_of(const void *place) {
  if (!rows)
    rows = first[__atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED) % 64];
  uintptr_t i = ((uintptr_t)place * UINT64_C(0x9e3779b97f4a7c15)) >> 54;
  while (rows[i].place != place && rows[i].place)
    i = (i + 1) % ROWS;
  rows[i].place = place;
  return &rows[i];
}

static void enter(const void *place) {
  open[depth % FRAMES].row = row_of(place);
  open[depth++ % FRAMES].start = __rdtsc();
}

static void leave(void) {
  uint64_t now = __rdtsc();
  if (!depth)
    return;
  depth--;
  open[depth % FRAMES].row->count++;
  open[depth % FRAMES].row->ticks += now - open[depth % FRAMES].start;
}

static void parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
                           unsigned requested, int flags, const void *place) {
  enter(place);
}

static void parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *place) {
  leave();
}

static void implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                          unsigned threads_of_team, unsigned index, int flags) {
  if (endpoint == ompt_scope_begin)
    enter(parallel);
  else
    leave();
}

static void mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id,
                          const void *place) {
  enter(place);
}

static void mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void *place) {
  leave();
  enter(place);
}

static void mutex_released(ompt_mutex_t kind, ompt_wait_id_t id, const void *place) { leave(); }

static void scoped(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                   const void *place) {
  if (endpoint == ompt_scope_begin)
    enter(place);
  else
    leave();
}

static void work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                 ompt_data_t *task, uint64_t count, const void *place) {
  scoped(endpoint, parallel, task, place);
}

static void sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                        ompt_data_t *parallel, ompt_data_t *task, const void *place) {
  scoped(endpoint, parallel, task, place);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  set(ompt_callback_parallel_begin, (ompt_callback_t)parallel_begin);
  set(ompt_callback_parallel_end, (ompt_callback_t)parallel_end);
  set(ompt_callback_implicit_task, (ompt_callback_t)implicit_task);
  set(ompt_callback_mutex_acquire, (ompt_callback_t)mutex_acquire);
  set(ompt_callback_mutex_acquired, (ompt_callback_t)mutex_acquired);
  set(ompt_callback_mutex_released, (ompt_callback_t)mutex_released);
  set(ompt_callback_masked, (ompt_callback_t)scoped);
  set(ompt_callback_work, (ompt_callback_t)work);
  set(ompt_callback_sync_region, (ompt_callback_t)sync_region);
  return 1;
}

/* Something of the profile has to be used, lest it be left out. */
static void finalize(ompt_data_t *data) {
  uint64_t count = 0;
  for (int t = 0; t < 64; t++)
    for (int i = 0; i < ROWS; i++)
      count += first[t][i].count;
  if (getenv("OMPT_PROFILE_SAY"))
    fprintf(stderr, "%lu\n", (unsigned long)count);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return &result;
}
