/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Locks that a thread has got and not given up, by their addresses. */
#ifndef POMP_REPLAY_LOCKS_H
#define POMP_REPLAY_LOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `newest` is a row, -1 none; `before` has for each row the row of the acquisition before it. */
struct pomp_lock {
  int64_t lock;
  int32_t newest;
};

struct pomp_locks {
  struct pomp_lock *entries;
  uint32_t count, room;
  uint32_t *index; /* 1 + the entry; 0 none; twice as many as `room` */
  int32_t *before;
};

/* Makes room for `rows` rows. */
bool pomp_locks_make(struct pomp_locks *locks, uint64_t rows);

/* For more of them than there is room for; false when there is no memory. */
bool pomp_locks_grow(struct pomp_locks *locks);

/* Returns the place of the lock, or the place where it would be. */
static inline uint32_t *pomp_locks_place(const struct pomp_locks *locks, int64_t lock) {
  uint32_t mask = 2 * locks->room - 1;
  uint32_t at = (uint32_t)((uint64_t)lock * UINT64_C(0x9e3779b97f4a7c15) >> 32) & mask;
  while (locks->index[at] && locks->entries[locks->index[at] - 1].lock != lock)
    at = (at + 1) & mask;
  return &locks->index[at];
}

/* NULL when there is no memory. */
static inline struct pomp_lock *pomp_locks_find(struct pomp_locks *locks, int64_t lock) {
  if (locks->count == locks->room && !pomp_locks_grow(locks))
    return NULL;
  uint32_t *place = pomp_locks_place(locks, lock);
  if (!*place) {
    locks->entries[locks->count] = (struct pomp_lock){lock, -1};
    *place = ++locks->count;
  }
  return &locks->entries[*place - 1];
}

void pomp_locks_clear(struct pomp_locks *locks);

void pomp_locks_free(struct pomp_locks *locks);

#endif
