/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "locks.h"

#include <stdlib.h>

bool pomp_locks_make(struct pomp_locks *locks, uint64_t rows) {
  *locks = (struct pomp_locks){.before = malloc((rows + 1) * sizeof *locks->before)};
  return locks->before;
}

bool pomp_locks_grow(struct pomp_locks *locks) {
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
    *pomp_locks_place(locks, locks->entries[i].lock) = i + 1;
  return true;
}

void pomp_locks_clear(struct pomp_locks *locks) {
  while (locks->count)
    *pomp_locks_place(locks, locks->entries[locks->count - 1].lock) = 0, locks->count--;
}

void pomp_locks_free(struct pomp_locks *locks) {
  free(locks->entries);
  free(locks->index);
  free(locks->before);
}
