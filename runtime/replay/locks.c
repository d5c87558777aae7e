/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "locks.h"

#include <stdlib.h>

bool pomp_locks_make(struct pomp_locks *locks, uint64_t rows) {
  *locks = (struct pomp_locks){.before = malloc((rows + 1) * sizeof *locks->before)};
  return locks->before;
}

/* Where the lock is, or would be. */
static uint32_t *place(const struct pomp_locks *locks, int64_t lock) {
  uint32_t mask = 2 * locks->room - 1;
  uint32_t at = (uint32_t)((uint64_t)lock * UINT64_C(0x9e3779b97f4a7c15) >> 32) & mask;
  while (locks->index[at] && locks->entries[locks->index[at] - 1].lock != lock)
    at = (at + 1) & mask;
  return &locks->index[at];
}

static bool grow(struct pomp_locks *locks) {
  uint32_t room = locks->room ? 2 * locks->room : 64;
  struct pomp_lock *entries =
      room < UINT32_C(1) << 30 ? realloc(locks->entries, room * sizeof *entries) : NULL;
  if (!entries)
    return false;
  locks->entries = entries;
  uint32_t *index = calloc(2 * (size_t)room, sizeof *index);
  if (!index)
    return false;
  free(locks->index);
  locks->index = index;
  locks->room = room;
  for (uint32_t i = 0; i < locks->count; i++)
    *place(locks, locks->entries[i].lock) = i + 1;
  return true;
}

struct pomp_lock *pomp_locks_find(struct pomp_locks *locks, int64_t lock) {
  if (locks->count == locks->room && !grow(locks))
    return NULL;
  uint32_t *found = place(locks, lock);
  if (!*found) {
    locks->entries[locks->count] = (struct pomp_lock){lock, -1};
    *found = ++locks->count;
  }
  return &locks->entries[*found - 1];
}

void pomp_locks_clear(struct pomp_locks *locks) {
  while (locks->count)
    *place(locks, locks->entries[locks->count - 1].lock) = 0, locks->count--;
}

void pomp_locks_free(struct pomp_locks *locks) {
  free(locks->entries);
  free(locks->index);
  free(locks->before);
}
