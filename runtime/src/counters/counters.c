/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counters/counters.h"

#include "counters/papi.h"
#include "counters/perf.h"
#include "location/arena.h"
#include "location/service.h"
#include "profile/stack.h"
#include "system/init_lock.h"
#include "system/message.h"
#include "system/settings.h"

#include <errno.h>
#include <string.h>

enum { BLOCK = POMP_BLOCK_PATHS, BLOCKS = POMP_COUNTER_BLOCKS };

struct pomp_counters {
  struct pomp_perf perf;
  int papi_set;
  bool recorded;
  volatile bool busy; /* a signal handler that comes in between counts for what it interrupts */
  uint64_t last[POMP_MOST_METRICS];
  uint64_t nowhere[POMP_MOST_METRICS];
  uint64_t *blocks[BLOCKS]; /* by call path / BLOCK; path 0 is outside of all regions */
};

static void read_all(const struct pomp_counters *c, uint64_t *values) {
  pomp_perf_read(&c->perf, values);
  pomp_papi_read(c->papi_set, values);
}

static void open_all(struct pomp_counters *c) {
  static bool reported;
  if (!pomp_perf_open(&c->perf) && !reported) {
    reported = true;
    pomp_message("POMP_METRICS: not everything is counted in all threads: %s", strerror(errno));
  }
  c->papi_set = pomp_papi_open();
  memset(c->last, 0, sizeof c->last);
  read_all(c, c->last);
}

void pomp_counters_attach(struct pomp_thread *t, bool recorded) {
  if (!pomp_metric_count)
    return;
  struct pomp_counters *c = t->counters ? t->counters : pomp_private(sizeof *c);
  if (!c)
    return;
  c->recorded = recorded;
  open_all(c);
  t->counters = c;
}

void pomp_counters_detach(struct pomp_thread *t) {
  if (!t->counters)
    return;
  pomp_perf_close(&t->counters->perf);
  pomp_papi_close(t->counters->papi_set);
  t->counters->papi_set = -1;
}

static void make_block(struct pomp_thread *t, uint32_t block) {
  const size_t values = (size_t)BLOCK * pomp_metric_count;
  struct pomp_counters *c = t->counters;
  if (!c->recorded) {
    c->blocks[block] = pomp_private(values * sizeof(uint64_t));
    return;
  }
  struct pomp_profile_record *r = pomp_arena_record(sizeof *r + values * sizeof *r->values);
  if (!r)
    return;
  r->location = t->location->id;
  r->first_path = block * BLOCK;
  r->paths = BLOCK;
  r->columns = pomp_metric_count;
  pomp_arena_publish(r, POMP_RECORD_COUNTERS);
  c->blocks[block] = r->values;
}

static uint64_t *row_of(struct pomp_thread *t, uint32_t path) {
  struct pomp_counters *c = t->counters;
  uint32_t block = path / BLOCK;
  if (!c->blocks[block] && pomp_init_lock()) {
    make_block(t, block);
    pomp_init_unlock();
  }
  if (!c->blocks[block])
    return c->nowhere;
  return c->blocks[block] + (size_t)(path % BLOCK) * pomp_metric_count;
}

void pomp_counters_charge(struct pomp_thread *t) {
  struct pomp_counters *c = t->counters;
  uint64_t now[POMP_MOST_METRICS];
  if (c->busy)
    return;
  c->busy = true;
  memcpy(now, c->last, pomp_metric_count * sizeof *now);
  read_all(c, now);
  uint64_t *row = row_of(t, pomp_path_of(pomp_here(t)));
  for (uint32_t i = 0; i < pomp_metric_count; i++) {
    row[i] += pomp_elapsed(c->last[i], now[i]);
    c->last[i] = now[i];
  }
  c->busy = false;
}

const uint64_t *pomp_counters_block(const struct pomp_thread *t, uint32_t block) {
  return t->counters ? t->counters->blocks[block] : NULL;
}

const uint64_t *pomp_counters_last(const struct pomp_thread *t) { return t->counters->last; }

void pomp_counters_look(const struct pomp_thread *t, uint64_t *values) {
  pomp_perf_look(&t->counters->perf, values);
}

/* The pages of a parent's counters are not there in the child, PAPI's state is the parent's. */
static void restart(struct pomp_thread *t, bool lives, uint64_t now) {
  struct pomp_counters *c = t->counters;
  (void)now;
  if (!c)
    return;
  for (uint32_t block = 0; block < BLOCKS; block++)
    if (c->blocks[block])
      memset(c->blocks[block], 0, (size_t)BLOCK * pomp_metric_count * sizeof(uint64_t));
  pomp_perf_forget(&c->perf);
  c->papi_set = -1;
  memset(c->last, 0, sizeof c->last);
  if (lives) {
    pomp_perf_open(&c->perf);
    read_all(c, c->last);
  }
}

static void start(const struct pomp_settings *settings) {
  pomp_metrics_choose(settings->metrics);
  pomp_metrics_describe(settings->metrics);
}

static void attach(struct pomp_thread *t) { pomp_counters_attach(t, true); }

static void charge(struct pomp_thread *t) {
  if (t->counters)
    pomp_counters_charge(t);
}

const struct pomp_service pomp_counters_service = {.start = start,
                                                   .attach = attach,
                                                   .charge = charge,
                                                   .detach = pomp_counters_detach,
                                                   .restart = restart};
