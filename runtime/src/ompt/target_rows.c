/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompt/target_rows.h"

#include "location/arena.h"
#include "location/service.h"
#include "ompt/target_names.h"
#include "system/init_lock.h"

#include <string.h>

enum { ROWS = 32, FIRST_SLOTS = 256 };

/* Rows by the hash of their keys, at most half full.  A larger table replaces it; the old one stays
 * for its readers, which then look for a row that they miss under the lock. */
struct table {
  size_t size;
  struct pomp_target_row *slots[];
};

static struct table *table;
static size_t row_count;
static struct pomp_target_record *newest;

static bool has_key(const struct pomp_target_row *row, uint32_t path, int device,
                    uint64_t address) {
  return row->path == path && row->device == device && row->address == address;
}

/* The slot that has the row, or the free one where it belongs. */
static struct pomp_target_row **look_up(struct table *t, uint32_t path, int device,
                                        uint64_t address) {
  uint64_t hash =
      (address ^ (uint64_t)path << 32 ^ (uint32_t)device) * UINT64_C(0x9e3779b97f4a7c15);
  for (size_t i = hash >> 40;; i++) {
    struct pomp_target_row **slot = &t->slots[i & (t->size - 1)];
    struct pomp_target_row *row = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    if (!row || has_key(row, path, device, address))
      return slot;
  }
}

static bool make_table_room(void) {
  if (table && 2 * (row_count + 1) <= table->size)
    return true;
  size_t size = table ? 2 * table->size : FIRST_SLOTS;
  struct table *larger = pomp_private(sizeof *larger + size * sizeof *larger->slots);
  if (!larger)
    return false;
  larger->size = size;
  for (size_t i = 0; table && i < table->size; i++) {
    struct pomp_target_row *row = table->slots[i];
    if (row)
      *look_up(larger, row->path, row->device, row->address) = row;
  }
  __atomic_store_n(&table, larger, __ATOMIC_RELEASE);
  return true;
}

static struct pomp_target_row *make_row(uint32_t path, int device, uint64_t address) {
  if (!newest || newest->count == ROWS) {
    struct pomp_target_record *r = pomp_arena_record(sizeof *r + ROWS * sizeof *r->rows);
    if (!r)
      return NULL;
    r->row_size = sizeof *r->rows;
    pomp_arena_publish(r, POMP_RECORD_TARGET);
    newest = r;
  }
  struct pomp_target_row *row = &newest->rows[newest->count];
  row->path = path;
  row->device = device;
  row->address = address;
  if (address > POMP_OTHER_PLACES)
    pomp_target_name_of(address, row->name, sizeof row->name);
  __atomic_store_n(&newest->count, newest->count + 1, __ATOMIC_RELEASE);
  row_count++;
  return row;
}

static struct pomp_target_row *find_or_make(uint32_t path, int device, uint64_t address) {
  if (!make_table_room())
    return NULL;
  struct pomp_target_row **slot = look_up(table, path, device, address);
  struct pomp_target_row *row = *slot ? *slot : make_row(path, device, address);
  __atomic_store_n(slot, row, __ATOMIC_RELEASE);
  return row;
}

static struct pomp_target_row *find(uint32_t path, int device, uint64_t address) {
  struct table *t = __atomic_load_n(&table, __ATOMIC_ACQUIRE);
  return t ? __atomic_load_n(look_up(t, path, device, address), __ATOMIC_ACQUIRE) : NULL;
}

struct pomp_target_row *pomp_target_row(uint32_t path, int device) {
  struct pomp_target_row *row = find(path, device, 0);
  if (!row && pomp_init_lock()) {
    row = find_or_make(path, device, 0);
    pomp_init_unlock();
  }
  return row;
}

struct pomp_target_row *pomp_target_place(struct pomp_target_row *construct, uint64_t address) {
  struct pomp_target_row *row = find(construct->path, construct->device, address);
  if (row || !pomp_init_lock())
    return row;
  row = *look_up(table, construct->path, construct->device, address);
  if (!row) {
    bool is_full = construct->places == POMP_MOST_TARGET_PLACES;
    construct->places += !is_full;
    row = find_or_make(construct->path, construct->device, is_full ? POMP_OTHER_PLACES : address);
  }
  pomp_init_unlock();
  return row;
}

/* Rows of this call path hold contents, and no sums. */
#define NO_PATH UINT32_MAX

struct pomp_target_row *pomp_target_content(int device, uint64_t address) {
  static uint32_t contents;
  struct pomp_target_row *row = find(NO_PATH, device, address);
  if (row || !pomp_init_lock())
    return row;
  if (contents < POMP_MOST_TARGET_CONTENTS) {
    size_t before = row_count;
    row = find_or_make(NO_PATH, device, address);
    contents += row_count > before;
  }
  pomp_init_unlock();
  return row;
}

size_t pomp_target_row_count(void) { return row_count; }

size_t pomp_target_slots(void) { return table ? table->size : 0; }

const struct pomp_target_row *pomp_target_at(size_t slot) {
  const struct pomp_target_row *row = table->slots[slot];
  return row && row->path != NO_PATH ? row : NULL;
}

/* A child has measured nothing. */
static void forget(void) {
  for (size_t i = 0; table && i < table->size; i++)
    if (table->slots[i])
      memset(table->slots[i]->values, 0, sizeof table->slots[i]->values);
}

const struct pomp_service pomp_target_service = {.forget = forget};
