/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/path.h"

#include "location/arena.h"
#include "profile/region.h"
#include "system/init_lock.h"

#define REGION(region) ((region) & ~POMP_PATH_TASK)

enum { BLOCK = POMP_BLOCK_PATHS, BLOCKS = POMP_MOST_PATHS / BLOCK };

/* Read without a lock: a table is filled before it is published, and old tables stay. */
struct table {
  uint32_t size, count;
  _Atomic uint32_t ids[]; /* 0: free */
};

static struct pomp_path_record *blocks[BLOCKS]; /* of the paths' definitions */
static uint8_t depths[POMP_MOST_PATHS];
static _Atomic uint32_t made = 1; /* with the root */
static struct table *_Atomic table;

static const struct pomp_path *definition(uint32_t path) {
  return &blocks[path / BLOCK]->paths[path % BLOCK];
}

static uint32_t hash(uint32_t above, uint32_t region) {
  uint64_t key = ((uint64_t)above << 32 | region) * UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)(key >> 32);
}

static uint32_t find(uint32_t above, uint32_t region) {
  struct table *all = atomic_load_explicit(&table, memory_order_acquire);
  if (!all)
    return 0;
  for (uint32_t i = hash(above, region);; i++) {
    uint32_t path = atomic_load_explicit(&all->ids[i & (all->size - 1)], memory_order_acquire);
    if (!path || (definition(path)->above == above && definition(path)->region == region))
      return path;
  }
}

static void put(struct table *into, uint32_t path) {
  uint32_t i = hash(definition(path)->above, definition(path)->region);
  while (into->ids[i & (into->size - 1)])
    i++;
  atomic_store_explicit(&into->ids[i & (into->size - 1)], path, memory_order_release);
  into->count++;
}

static bool make_table_room(void) {
  struct table *old = table;
  if (old && old->count < old->size / 2)
    return true;
  uint32_t size = old ? old->size * 2 : 512;
  struct table *larger = pomp_private(sizeof *larger + size * sizeof *larger->ids);
  if (!larger)
    return false;
  larger->size = size;
  for (uint32_t path = 1; path < made; path++)
    put(larger, path);
  atomic_store_explicit(&table, larger, memory_order_release);
  return true;
}

static bool make_block(uint32_t block) {
  struct pomp_path_record *r = blocks[block];
  if (r)
    return true;
  r = pomp_arena_record(sizeof *r + BLOCK * sizeof *r->paths);
  if (!r)
    return false;
  r->first = block * BLOCK;
  r->count = BLOCK;
  r->entry_size = sizeof *r->paths;
  pomp_arena_publish(r, POMP_RECORD_PATHS);
  blocks[block] = r;
  return true;
}

/* The path, made if need be; 0 when there is no room for one. */
static uint32_t make(uint32_t above, uint32_t region) {
  uint32_t path = find(above, region);
  if (path)
    return path;
  if (made == POMP_MOST_PATHS || !make_block(made / BLOCK) || !make_table_room())
    return 0;
  path = made;
  struct pomp_path *entry = &blocks[path / BLOCK]->paths[path % BLOCK];
  entry->above = above;
  __atomic_store_n(&entry->region, region, __ATOMIC_RELEASE);
  depths[path] = (uint8_t)(depths[above] + 1);
  put(table, path);
  atomic_store_explicit(&made, path + 1, memory_order_release);
  return path;
}

/* Half of all paths are for those from the root, which every region has a right to. */
static bool is_room_below(uint32_t above) {
  return depths[above] < POMP_MOST_DEPTH &&
         atomic_load_explicit(&made, memory_order_relaxed) < POMP_MOST_PATHS / 2;
}

static uint32_t get(uint32_t above, uint32_t region) {
  uint32_t path = find(above, region);
  if (!path && above && !is_room_below(above)) {
    __atomic_store_n(&pomp_header->folded, 1, __ATOMIC_RELAXED);
    above = 0;
    path = find(above, region);
  }
  if (path || !pomp_init_lock())
    return path;
  path = make(above, region);
  pomp_init_unlock();
  return path;
}

uint64_t *pomp_path_row(struct pomp_thread *t, uint32_t path) {
  uint64_t *row = path ? pomp_slot(t, path) : t->nowhere;
  if (row == t->nowhere || row[POMP_SELF])
    return row;
  row[POMP_CHILD] = row[POMP_NEXT] = (uintptr_t)t->nowhere;
  row[POMP_SELF] = (uint64_t)definition(path)->region << 32 | path;
  return row;
}

uint64_t *pomp_path_outermost(struct pomp_thread *t, uint64_t *row) {
  uint64_t *outermost = pomp_path_row(t, get(0, REGION(pomp_region_of(row))));
  row[POMP_OUTERMOST] = (uintptr_t)outermost;
  return outermost;
}

/* Notes the newest row below another one. */
static void expect(struct pomp_thread *t, uint64_t *above, uint64_t *row) {
  uint64_t *before = (uint64_t *)(uintptr_t)above[POMP_CHILD];
  if (before != t->nowhere)
    before[POMP_NEXT] = (uintptr_t)row;
  above[POMP_CHILD] = (uintptr_t)row;
}

uint64_t *pomp_path_child(struct pomp_thread *t, uint64_t *above, uint32_t region) {
  uint32_t path = get(pomp_path_of(above), region);
  uint64_t *row = pomp_path_row(t, path);
  if (row == t->nowhere)
    t->location->dropped++;
  else if (definition(path)->above == pomp_path_of(above))
    expect(t, above, row);
  return row;
}

/* Returns the innermost task on the path whose region is `region`, or whose function contains it
 * and was thus entered again; 0 if there is none. */
static uint32_t again(uint32_t path, uint32_t region) {
  if (!pomp_init_lock())
    return 0;
  for (; path; path = definition(path)->above) {
    uint32_t task = definition(path)->region;
    if (task == region ||
        (task & POMP_PATH_TASK && pomp_region_is_beside(REGION(region), REGION(task))))
      break;
  }
  pomp_init_unlock();
  return path;
}

/* The path that a task was made on. */
static uint32_t maker(uint32_t task) {
  uint32_t above = definition(task)->above;
  bool is_creation = definition(above)->region == REGION(definition(task)->region);
  return above && is_creation ? definition(above)->above : above;
}

static uint32_t task_path(uint32_t creation, uint32_t region) {
  uint32_t task = again(creation, region);
  if (!task)
    return get(creation, region);
  if (definition(task)->region == region)
    return task;
  return get(get(maker(task), REGION(region)), region);
}

uint64_t *pomp_path_task(struct pomp_thread *t, uint32_t creation, uint32_t region) {
  if (!creation || creation >= atomic_load_explicit(&made, memory_order_acquire))
    return NULL;
  uint64_t *above = pomp_path_row(t, creation);
  uint64_t *row = (uint64_t *)(uintptr_t)above[POMP_TASKS];
  if (row && pomp_region_of(row) == region)
    return row;
  row = pomp_path_row(t, task_path(creation, region));
  if (row == t->nowhere)
    t->location->dropped++;
  else
    above[POMP_TASKS] = (uintptr_t)row;
  return row;
}
