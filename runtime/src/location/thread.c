/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "location/thread.h"

#include "location/arena.h"
#include "location/processor_time.h"
#include "location/service.h"
#include "state.h"
#include "system/init_lock.h"

#include <pthread.h>
#include <string.h>

int omp_get_thread_num(void) __attribute__((weak));
int omp_get_level(void) __attribute__((weak));

static struct pomp_thread unattached = {.mode = POMP_CALLS}, ignoring = {.mode = POMP_IGNORES};
__thread struct pomp_thread *pomp_self = &unattached;
struct pomp_thread *_Atomic pomp_threads;

/* Runs over the services' rows that have this function. */
#define FOR_SERVICES_WITH(function, s)                                                             \
  for (const struct pomp_service *const *s = pomp_services; *s; s++)                               \
    if ((*s)->function)

static pthread_key_t key;
static bool key_made;

struct role {
  int level, thread_num;
};

/* omp_get_level starts libomp up, which fixes its settings: it is asked only
 * where a thread number shows that the runtime is running. */
static struct role role_here(void) {
  struct role r = {0, 0};
  if (omp_get_thread_num)
    r.thread_num = omp_get_thread_num();
  if (r.thread_num && omp_get_level)
    r.level = omp_get_level();
  return r;
}

static bool has_role(const struct pomp_thread *t, struct role r) {
  return t->location->level == r.level && t->location->thread_num == r.thread_num;
}

/* libgomp may start a thread before the one that it replaces has wholly gone,
 * which gives the new one a location of its own.  A reader makes one of the two,
 * as long as the old location rests: it is not taken again. */
static struct pomp_thread *take_over(struct role r) {
  uint64_t newest = 0;
  for (struct pomp_thread *t = pomp_threads; t; t = t->next) {
    if (!has_role(t, r))
      continue;
    if (!t->taken && (!r.level || !newest || newest < t->location->last))
      return t;
    if (t->location->first > newest)
      newest = t->location->first;
  }
  return NULL;
}

_Static_assert(offsetof(struct pomp_thread, mode) == 0 && POMP_SKIPS == 1 && POMP_IGNORES == 2,
               "what guards a call in a program asks whether the first word is one of these");

static enum pomp_mode mode_for(const struct pomp_thread *t) {
  if (atomic_load(&pomp_state) != POMP_RUNNING)
    return POMP_IGNORES;
  if (!pomp_clock_counts || t->stack->overflow || pomp_metric_count)
    return POMP_CALLS;
  if (atomic_load(&pomp_muted))
    return POMP_SKIPS;
  return pomp_traces ? POMP_RECORDS : POMP_MEASURES;
}

/* A thread that changes the state which a mode follows calls this after the change.  If two threads
 * change it at once, one of them sees both changes. */
void pomp_mode_settle(struct pomp_thread *t) {
  enum pomp_mode mode;
  if (pomp_mode_of(t) == mode_for(t))
    return;
  do
    atomic_store(&t->mode, mode = mode_for(t));
  while (mode != mode_for(t));
}

void pomp_modes_change(void) {
  for (struct pomp_thread *t = pomp_threads; t; t = t->next) {
    enum pomp_mode mode;
    do {
      mode = mode_for(t);
      atomic_store(&t->mode, pomp_mode_counts(mode) ? POMP_CALLS : mode);
    } while (mode != mode_for(t));
  }
}

static struct pomp_location_record *make_location(struct role r) {
  struct pomp_location_record *l = pomp_arena_record(sizeof *l);
  if (!l)
    return NULL;
  l->id = pomp_threads ? pomp_threads->location->id + 1 : 0;
  l->level = r.level;
  l->thread_num = r.thread_num;
  return l;
}

static bool make_services(struct pomp_thread *t) {
  FOR_SERVICES_WITH(make, s)
  if (!(*s)->make(t))
    return false;
  return true;
}

static struct pomp_thread *make_thread(struct role r) {
  struct pomp_thread *t = pomp_private(sizeof *t);
  if (!t || !(t->location = make_location(r)))
    return NULL;
  t->nowhere[POMP_SELF] = POMP_NO_REGION << 32;
  t->nowhere[POMP_CHILD] = t->nowhere[POMP_NEXT] = (uintptr_t)t->nowhere;
  t->nowhere[POMP_OUTERMOST] = (uintptr_t)t->nowhere;
  if (!make_services(t))
    return NULL;
  pomp_arena_publish(t->location, POMP_RECORD_LOCATION);
  t->next = pomp_threads;
  atomic_store(&pomp_threads, t);
  pomp_mode_settle(t);
  return t;
}

void pomp_thread_ignore(void) {
  if (pomp_self == &unattached && atomic_load(&pomp_state) == POMP_OVER)
    pomp_self = &ignoring;
}

/* A thread of the program's own is outside parallel regions, the main one since the start. */
static void begin_serial(struct pomp_thread *t, struct role r) {
  bool is_first = !t->location->id && !t->location->last;
  t->serial_since = r.thread_num ? 0 : is_first ? pomp_header->start : pomp_now();
}

struct pomp_thread *pomp_thread_attach(void) {
  struct role r = role_here();
  struct pomp_thread *t = NULL;
  if (pomp_init_lock()) {
    t = take_over(r);
    if (!t && pomp_place())
      t = make_thread(r);
    if (t) {
      begin_serial(t, r);
      if (!t->location->last)
        t->location->first = pomp_now();
      t->taken = true;
      pomp_processor_time_begin(t);
      pthread_setspecific(key, t);
      FOR_SERVICES_WITH(attach, s)
      (*s)->attach(t);
      pomp_self = t;
    }
    pomp_init_unlock();
  }
  if (!t)
    __atomic_fetch_add(&pomp_header->lost, 1, __ATOMIC_RELAXED);
  return t;
}

static void leave(void *thread) {
  struct pomp_thread *t = thread;
  pomp_self = &unattached;
  if (pomp_is_running()) {
    FOR_SERVICES_WITH(charge, s)
    (*s)->charge(t);
    uint64_t now = pomp_now();
    FOR_SERVICES_WITH(leave, s)
    (*s)->leave(t, now);
    pomp_processor_time_read(t);
  }
  t->handed = NULL;
  if (pomp_init_lock()) {
    FOR_SERVICES_WITH(detach, s)
    (*s)->detach(t);
    t->taken = false;
    pomp_init_unlock();
  }
}

bool pomp_threads_prepare(void) { return key_made = pthread_key_create(&key, leave) == 0; }

/* The code that the key refers to may be unloaded after this. */
void pomp_threads_finish(void) {
  if (key_made)
    pthread_key_delete(key);
  key_made = false;
}

static bool make_room(struct pomp_thread *t, uint32_t block) {
  uint32_t count = t->block_count ? t->block_count : 8;
  while (count <= block)
    count *= 2;
  if (block < t->block_count)
    return true;
  uint64_t **blocks = pomp_private(count * sizeof *blocks);
  if (!blocks)
    return false;
  if (t->block_count)
    memcpy(blocks, t->blocks, t->block_count * sizeof *blocks);
  t->blocks = blocks;
  t->block_count = count;
  return true;
}

static void make_block(struct pomp_thread *t, uint32_t block) {
  const size_t values = (size_t)POMP_BLOCK_PATHS * POMP_COLUMNS;
  struct pomp_profile_record *r;
  if (!make_room(t, block) || t->blocks[block])
    return;
  r = pomp_arena_record(sizeof *r + values * sizeof *r->values);
  if (!r)
    return;
  r->location = t->location->id;
  r->first_path = block * POMP_BLOCK_PATHS;
  r->paths = POMP_BLOCK_PATHS;
  r->columns = POMP_COLUMNS;
  pomp_arena_publish(r, POMP_RECORD_PROFILE);
  /* Should the program be killed, the newest value is what a reader has. */
  __atomic_store_n(&pomp_header->ticks_per_second, pomp_clock_frequency(), __ATOMIC_RELAXED);
  t->blocks[block] = r->values;
}

uint64_t *pomp_thread_new_slot(struct pomp_thread *t, uint32_t path) {
  uint32_t block = path / POMP_BLOCK_PATHS;
  if (pomp_init_lock()) {
    make_block(t, block);
    pomp_init_unlock();
  }
  if (block < t->block_count && t->blocks[block])
    return t->blocks[block] + (size_t)(path % POMP_BLOCK_PATHS) * POMP_COLUMNS;
  t->location->dropped++;
  return t->nowhere;
}

static void forget(struct pomp_thread *t) {
  for (uint32_t i = 0; i < t->block_count; i++)
    for (size_t row = 0; t->blocks[i] && row < POMP_BLOCK_PATHS; row++) {
      uint64_t *sums = t->blocks[i] + row * POMP_COLUMNS;
      memset(sums, 0, POMP_SUMS * sizeof *sums);
      sums[POMP_OPEN] = 0;
    }
  t->location->first = pomp_header->start;
  t->location->last = t->location->dropped = t->location->cut = t->location->cut_since = 0;
  t->location->arrived = t->location->joined.team = 0;
  t->serial_since = t->serial_since ? pomp_header->start : 0;
}

void pomp_threads_restart(uint64_t now) {
  for (struct pomp_thread *t = pomp_threads; t; t = t->next) {
    forget(t);
    bool lives = t == pomp_self;
    FOR_SERVICES_WITH(restart, s)
    (*s)->restart(t, lives, now);
    pomp_processor_time_restart(t, lives);
    t->taken = t->taken && lives;
  }
}

bool pomp_threads_measured(void) {
  for (struct pomp_thread *t = pomp_threads; t; t = t->next)
    if (t->location->last)
      return true;
  return false;
}
