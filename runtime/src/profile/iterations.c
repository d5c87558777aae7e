/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/iterations.h"

#include "location/arena.h"
#include "location/service.h"
#include "system/init_lock.h"
#include "system/settings.h"

#include <string.h>

static bool wanted;

static struct pomp_iterations *find_loop(const struct pomp_thread *t, uint32_t region) {
  struct pomp_iterations *loop = t->loops;
  while (loop && loop->region != region)
    loop = loop->next;
  return loop;
}

static struct pomp_iterations *make_loop(struct pomp_thread *t, uint32_t region) {
  struct pomp_iterations *loop = NULL;
  if (!pomp_init_lock())
    return NULL;
  loop = pomp_private(sizeof *loop);
  if (loop) {
    loop->region = region;
    loop->next = t->loops;
    t->loops = loop;
  }
  pomp_init_unlock();
  return loop;
}

static void clear(struct pomp_iterations_record *r) {
  r->execution = r->bins = r->shift = r->folding = 0;
  r->begin = r->end = r->backwards = 0;
  r->low = 0;
  memset(r->bin, 0, sizeof r->bin);
}

static struct pomp_iterations_record *make_record(const struct pomp_thread *t, uint32_t region) {
  struct pomp_iterations_record *r = NULL;
  if (!pomp_init_lock())
    return NULL;
  r = pomp_arena_record(sizeof *r);
  if (r) {
    r->location = t->location->id;
    r->region = region;
    pomp_arena_publish(r, POMP_RECORD_ITERATIONS);
  }
  pomp_init_unlock();
  return r;
}

/* The record for the execution that begins, or NULL: after some, only those whose number is a power
 * of two are recorded, which all threads of a team agree on. */
static struct pomp_iterations_record *begin_record(struct pomp_thread *t,
                                                   struct pomp_iterations *loop) {
  uint32_t number = loop->made;
  if (number == POMP_RECORDED_EXECUTIONS || loop->executions & (loop->executions - 1))
    return NULL;
  struct pomp_iterations_record *r = loop->records[number];
  if (!r)
    r = loop->records[number] = make_record(t, loop->region);
  if (!r)
    return NULL;
  loop->made++;
  r->execution = loop->executions;
  return r;
}

void pomp_iterations_enter(struct pomp_thread *t, uint32_t region) {
  if (!wanted)
    return;
  struct pomp_iterations *loop = find_loop(t, region);
  if (!loop && !(loop = make_loop(t, region)))
    return;
  if (loop->entered) {
    loop->inner++;
    return;
  }
  loop->entered = true;
  loop->runs = false;
  loop->executions++;
  loop->outer = t->iterations;
  loop->record = begin_record(t, loop);
  t->iterations = loop;
  if (loop->record)
    loop->record->begin = pomp_now();
}

/* A loop that was left by a jump is still entered: the one around it is left all the same. */
void pomp_iterations_leave(struct pomp_thread *t, uint32_t region) {
  struct pomp_iterations *loop = find_loop(t, region);
  if (!loop || !loop->entered)
    return;
  if (loop->inner) {
    loop->inner--;
    return;
  }
  uint64_t now = pomp_now();
  while (t->iterations) {
    struct pomp_iterations *innermost = t->iterations;
    pomp_iterations_close(innermost, now);
    if (innermost->record)
      innermost->record->end = now;
    innermost->entered = false;
    innermost->inner = 0;
    t->iterations = innermost->outer;
    if (innermost == loop)
      break;
  }
}

/* Merges pairs of bins: each is twice as wide after that. */
static void fold(struct pomp_iterations_record *r) {
  int64_t low = r->low >> 1;
  uint32_t odd = (uint32_t)(r->low & 1), bins = (r->bins + odd + 1) / 2;
  r->folding = 1;
  atomic_signal_fence(memory_order_seq_cst);
  for (uint32_t b = 0; b < r->bins; b++) {
    struct pomp_iteration_bin from = r->bin[b];
    uint32_t into = (b + odd) / 2;
    r->bin[b] = (struct pomp_iteration_bin){0, 0};
    r->bin[into].ticks += from.ticks;
    r->bin[into].count += from.count;
  }
  r->bins = bins;
  r->low = low;
  r->shift++;
  atomic_signal_fence(memory_order_seq_cst);
  r->folding = 0;
}

/* Makes room for lesser values: half of the free room, for a loop that counts down goes on so. */
static void extend_down(struct pomp_iterations_record *r, uint32_t needed) {
  uint32_t more = (POMP_ITERATION_BINS - r->bins) / 2;
  if (more < needed || r->low < INT64_MIN + (int64_t)more)
    more = needed;
  r->folding = 1;
  atomic_signal_fence(memory_order_seq_cst);
  memmove(&r->bin[more], r->bin, r->bins * sizeof *r->bin);
  memset(r->bin, 0, more * sizeof *r->bin);
  r->bins += more;
  r->low -= more;
  atomic_signal_fence(memory_order_seq_cst);
  r->folding = 0;
}

/* The bin of a value, which may be any: the distance of two may have more than 64 bits. */
static struct pomp_iteration_bin *bin_of(struct pomp_iterations_record *r, int64_t value) {
  if (!r->bins) {
    r->low = value >> r->shift;
    r->bins = 1;
  }
  for (;;) {
    int64_t b;
    bool far = __builtin_sub_overflow(value >> r->shift, r->low, &b);
    if (!far && b >= 0 && b < POMP_ITERATION_BINS) {
      if (b >= r->bins)
        r->bins = (uint32_t)b + 1;
      return &r->bin[b];
    }
    if (!far && b < 0 && b >= (int64_t)r->bins - (int64_t)POMP_ITERATION_BINS)
      extend_down(r, (uint32_t)-b);
    else
      fold(r);
  }
}

void pomp_iterations_add(struct pomp_iterations_record *r, int64_t value, uint64_t ticks) {
  struct pomp_iteration_bin *bin = bin_of(r, value);
  bin->ticks += ticks;
  bin->count++;
}

static void start(const struct pomp_settings *settings) { wanted = settings->iterations; }

/* A thread that ends in a loop leaves it. */
static void detach(struct pomp_thread *t) {
  for (struct pomp_iterations *loop = t->loops; loop; loop = loop->next) {
    loop->entered = loop->runs = false;
    loop->inner = 0;
  }
  t->iterations = NULL;
}

/* In a forked child the records are used again. */
static void restart(struct pomp_thread *t, bool lives, uint64_t now) {
  (void)lives, (void)now;
  detach(t);
  for (struct pomp_iterations *loop = t->loops; loop; loop = loop->next) {
    for (uint32_t i = 0; i < loop->made; i++)
      clear(loop->records[i]);
    loop->made = loop->executions = 0;
  }
}

const struct pomp_service pomp_iterations_service = {
    .start = start, .detach = detach, .restart = restart};
