/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Locks that a thread has got and not given up, by their addresses. */
#ifndef POMP_REPLAY_LOCKS_H
#define POMP_REPLAY_LOCKS_H

#include <stdbool.h>
#include <stdint.h>

/* `newest` is a row, -1 none; what was got before it is in `before`, by row. */
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

/* For so many rows. */
bool pomp_locks_make(struct pomp_locks *locks, uint64_t rows);

/* NULL when there is no memory. */
struct pomp_lock *pomp_locks_find(struct pomp_locks *locks, int64_t lock);

void pomp_locks_clear(struct pomp_locks *locks);

void pomp_locks_free(struct pomp_locks *locks);

#endif
