/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "process/snapshot.h"

#include "counters/counters.h"
#include "counters/metrics.h"
#include "location/arena.h"
#include "location/processor_time.h"
#include "location/thread.h"
#include "mpi/mpi.h"
#include "ompt/target_rows.h"
#include "state.h"
#include "system/init_lock.h"
#include "system/unsanitized.h"
#include "tasks/team_exit.h"

#include <string.h>
#include <sys/mman.h>

/* A snapshot is a record that holds records of the same types and form as the file.  It is made in
 * memory whose size is an upper bound, and appended when its size is known.  The threads go on
 * writing while their records are copied.  A location's copy is consistent if its newest event is
 * the same before and after; if not, it is copied again. */

#define MOST_BYTES ((size_t)1 << 28) /* of all snapshots */

enum { TRIES = 8 };

static uint32_t limit, taken;
static uint64_t bytes;
static struct pomp_snapshot_record *newest;

void pomp_snapshots_limit(uint32_t most) { limit = most; }

static size_t aligned(size_t size) {
  return (size + POMP_RECORD_ALIGNMENT - 1) / POMP_RECORD_ALIGNMENT * POMP_RECORD_ALIGNMENT;
}

/* Words as they are; what one holds was written by one store. */
POMP_UNSANITIZED static bool copy_words(uint64_t *to, const uint64_t *from, size_t words) {
  uint64_t any = 0;
  for (size_t i = 0; i < words; i++)
    any |= to[i] = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
  return any != 0;
}

static size_t finish(struct pomp_record *record, enum pomp_record_type type, size_t size) {
  record->type = type;
  record->size = aligned(size);
  return record->size;
}

static size_t finish_rows(struct pomp_profile_record *r, enum pomp_record_type type) {
  return finish(&r->head, type, sizeof *r + (size_t)r->paths * r->columns * sizeof *r->values);
}

/* The first columns of a block's rows, up to the last row that is not 0. */
static size_t copy_block(char *to, const struct pomp_thread *t, uint32_t block,
                         const uint64_t *from, uint32_t all_columns, uint32_t columns,
                         enum pomp_record_type type) {
  struct pomp_profile_record *r = (struct pomp_profile_record *)to;
  uint32_t used = 0;
  for (uint32_t row = 0; row < POMP_BLOCK_PATHS; row++)
    if (copy_words(&r->values[(size_t)row * columns], from + (size_t)row * all_columns, columns))
      used = row + 1;
  if (!used)
    return 0;
  r->location = t->location->id;
  r->first_path = block * POMP_BLOCK_PATHS;
  r->paths = used;
  r->columns = columns;
  return finish_rows(r, type);
}

POMP_UNSANITIZED static size_t copy_stack(char *to, const struct pomp_thread *t) {
  const struct pomp_stack_record *from = t->stack->record;
  struct pomp_stack_record *r = (struct pomp_stack_record *)to;
  uint32_t depth = __atomic_load_n(&from->depth, __ATOMIC_RELAXED);
  if (!depth || depth > from->capacity)
    return 0;
  size_t size = depth * sizeof *r->frames;
  copy_words((uint64_t *)(void *)r->frames, (const uint64_t *)(const void *)from->frames,
             size / sizeof(uint64_t));
  r->location = from->location;
  r->depth = r->capacity = depth;
  r->frame_size = sizeof *r->frames;
  return finish(&r->head, POMP_RECORD_STACK, sizeof *r + size);
}

POMP_UNSANITIZED static size_t copy_held(char *to, const struct pomp_thread *t) {
  const struct pomp_held_record *from = t->held;
  struct pomp_held_record *r = (struct pomp_held_record *)to;
  uint32_t count = __atomic_load_n(&from->count, __ATOMIC_RELAXED);
  if (!count || count > from->capacity)
    return 0;
  size_t size = count * sizeof *r->locks;
  copy_words((uint64_t *)(void *)r->locks, (const uint64_t *)(const void *)from->locks,
             size / sizeof(uint64_t));
  r->location = from->location;
  r->count = r->capacity = count;
  r->entry_size = sizeof *r->locks;
  return finish(&r->head, POMP_RECORD_HELD, sizeof *r + size);
}

/* Copies the location's record word by word, as other threads write to it. */
static size_t copy_role(char *to, const struct pomp_thread *t) {
  struct pomp_location_record *r = (struct pomp_location_record *)to;
  copy_words((uint64_t *)(void *)r, (const uint64_t *)(const void *)t->location,
             sizeof *r / sizeof(uint64_t));
  return finish(&r->head, POMP_RECORD_LOCATION, sizeof *r);
}

POMP_UNSANITIZED static uint64_t newest_event(const struct pomp_thread *t) {
  return __atomic_load_n(&t->location->last, __ATOMIC_ACQUIRE);
}

/* These rows are the process's.  Threads add to them meanwhile. */
static size_t copy_target(char *to) {
  struct pomp_target_record *r = (struct pomp_target_record *)to;
  if (!pomp_target_row_count())
    return 0;
  for (size_t i = 0; i < pomp_target_slots(); i++) {
    const struct pomp_target_row *from = pomp_target_at(i);
    if (from)
      copy_words((uint64_t *)(void *)&r->rows[r->count++], (const uint64_t *)(const void *)from,
                 sizeof *from / sizeof(uint64_t));
  }
  r->row_size = sizeof *r->rows;
  return finish(&r->head, POMP_RECORD_TARGET, sizeof *r + r->count * sizeof *r->rows);
}

static size_t copy_mpi(char *to, const struct pomp_thread *t) {
  size_t size = 0;
  for (uint32_t block = 0; block < POMP_COUNTER_BLOCKS; block++) {
    const uint64_t *from = pomp_mpi_block(t, block);
    if (from)
      size += copy_block(to + size, t, block, from, POMP_MPI_COLUMNS, POMP_MPI_COLUMNS,
                         POMP_RECORD_MPI);
  }
  return size;
}

/* Sums come before frames, so a visit that ends in between is missing rather than counted twice.
 * So is an MPI call: its sums come before the location's record, which names the call under way. */
static size_t copy_times(char *to, const struct pomp_thread *t) {
  size_t size = 0;
  for (uint32_t block = 0; block < t->block_count; block++)
    if (t->blocks[block])
      size += copy_block(to + size, t, block, t->blocks[block], POMP_COLUMNS, POMP_SUMS,
                         POMP_RECORD_PROFILE);
  size += copy_mpi(to + size, t);
  size += copy_stack(to + size, t);
  size += copy_role(to + size, t);
  return size + copy_held(to + size, t);
}

POMP_UNSANITIZED static uint32_t path_of(const struct pomp_stack_record *r) {
  uint32_t depth = __atomic_load_n(&r->depth, __ATOMIC_RELAXED);
  return depth ? __atomic_load_n(&r->frames[depth - 1].path, __ATOMIC_RELAXED) : 0;
}

/* Counts since the newest event belong to the path that the thread is on. */
static size_t copy_since(char *to, const struct pomp_thread *t, const uint64_t *last) {
  struct pomp_profile_record *r = (struct pomp_profile_record *)to;
  memcpy(r->values, last, pomp_metric_count * sizeof *last);
  pomp_counters_look(t, r->values);
  for (uint32_t i = 0; i < pomp_metric_count; i++)
    r->values[i] = pomp_elapsed(last[i], r->values[i]);
  r->location = t->location->id;
  r->first_path = path_of(t->stack->record);
  r->paths = 1;
  r->columns = pomp_metric_count;
  return finish_rows(r, POMP_RECORD_COUNTERS);
}

/* False where an event came in between. */
static bool copy_counters(char *to, const struct pomp_thread *t, size_t *size) {
  uint64_t last[POMP_MOST_METRICS], after[POMP_MOST_METRICS];
  *size = 0;
  if (!t->counters)
    return true;
  copy_words(last, pomp_counters_last(t), pomp_metric_count);
  for (uint32_t block = 0; block < POMP_COUNTER_BLOCKS; block++) {
    const uint64_t *from = pomp_counters_block(t, block);
    if (from)
      *size += copy_block(to + *size, t, block, from, pomp_metric_count, pomp_metric_count,
                          POMP_RECORD_COUNTERS);
  }
  *size += copy_since(to + *size, t, last);
  copy_words(after, pomp_counters_last(t), pomp_metric_count);
  return !memcmp(last, after, pomp_metric_count * sizeof *last);
}

static size_t copy_location(char *to, const struct pomp_thread *t, uint32_t *unsettled) {
  size_t times = 0, counted = 0;
  for (int i = 0; i < TRIES; i++) {
    uint64_t before = newest_event(t);
    times = copy_times(to, t);
    bool settled = copy_counters(to + times, t, &counted);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (settled && newest_event(t) == before)
      return times + counted;
  }
  ++*unsettled;
  return times + counted;
}

static size_t bound_of_rows(size_t rows, size_t columns) {
  return aligned(sizeof(struct pomp_profile_record) + rows * columns * sizeof(uint64_t));
}

static size_t bound_of_counters(const struct pomp_thread *t) {
  size_t bound = bound_of_rows(1, pomp_metric_count);
  for (uint32_t block = 0; block < POMP_COUNTER_BLOCKS; block++)
    if (pomp_counters_block(t, block))
      bound += bound_of_rows(POMP_BLOCK_PATHS, pomp_metric_count);
  return bound;
}

static size_t bound_of(const struct pomp_thread *t) {
  size_t bound =
      aligned(sizeof(struct pomp_stack_record) +
              t->stack->record->capacity * sizeof(struct pomp_frame)) +
      aligned(sizeof(struct pomp_location_record)) +
      aligned(sizeof(struct pomp_held_record) + t->held->capacity * sizeof(struct pomp_held_lock));
  for (uint32_t block = 0; block < POMP_COUNTER_BLOCKS; block++)
    bound += pomp_mpi_block(t, block) ? bound_of_rows(POMP_BLOCK_PATHS, POMP_MPI_COLUMNS) : 0;
  for (uint32_t block = 0; block < t->block_count; block++)
    bound += t->blocks[block] ? bound_of_rows(POMP_BLOCK_PATHS, POMP_SUMS) : 0;
  return bound + (t->counters ? bound_of_counters(t) : 0);
}

/* All of the record is written before a reader sees it. */
static bool append(const char *from, size_t size, enum pomp_snapshot_cause cause, uint64_t when,
                   uint32_t unsettled) {
  struct pomp_snapshot_record *r = NULL;
  if (taken < limit && size <= MOST_BYTES - bytes)
    r = pomp_arena_record(sizeof *r + size);
  if (!r) {
    __atomic_fetch_add(&pomp_header->dropped_snapshots, 1, __ATOMIC_RELAXED);
    return false;
  }
  r->number = ++taken;
  r->cause = cause;
  r->when = when;
  r->unsettled = unsettled;
  r->before = (uintptr_t)newest;
  memcpy(r->records, from, size);
  pomp_arena_publish(r, POMP_RECORD_SNAPSHOT);
  __atomic_store_n(&pomp_header->ticks_per_second, pomp_clock_frequency(), __ATOMIC_RELAXED);
  newest = r;
  bytes += size;
  return true;
}

static bool take(enum pomp_snapshot_cause cause) {
  size_t bound = POMP_RECORD_ALIGNMENT, size = 0;
  uint32_t unsettled = 0;
  for (struct pomp_thread *t = pomp_threads; t; t = t->next)
    bound += bound_of(t);
  bound += aligned(sizeof(struct pomp_target_record) +
                   pomp_target_row_count() * sizeof(struct pomp_target_row));
  char *copy = mmap(NULL, bound, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (copy == MAP_FAILED)
    return append(NULL, SIZE_MAX, cause, 0, 0);
  pomp_processor_time_read_all();
  pomp_team_exits_settle();
  for (struct pomp_thread *t = pomp_threads; t; t = t->next)
    size += copy_location(copy + size, t, &unsettled);
  size += copy_target(copy + size);
  bool kept = append(copy, size, cause, pomp_now(), unsettled);
  munmap(copy, bound);
  return kept;
}

bool pomp_snapshot_take(enum pomp_snapshot_cause cause) {
  bool kept = false;
  if (pomp_is_running() && pomp_self->counters)
    pomp_counters_charge(pomp_self);
  if (!pomp_is_running() || !pomp_init_lock())
    return false;
  if (pomp_is_running())
    kept = take(cause);
  pomp_init_unlock();
  return kept;
}

void pomp_snapshots_forget(void) {
  for (; newest; newest = (struct pomp_snapshot_record *)(uintptr_t)newest->before)
    pomp_arena_publish(newest, POMP_RECORD_PAD);
  taken = 0;
  bytes = 0;
  pomp_header->dropped_snapshots = 0;
}
