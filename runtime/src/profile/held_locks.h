/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The locks that a thread holds. */
#ifndef POMP_HELD_LOCKS_H
#define POMP_HELD_LOCKS_H

#include "location/thread.h"

/* region 0: held, but not measured.  A lock that cannot be held twice takes the
 * place of what another thread has released. */
void pomp_held_locks_add(struct pomp_thread *t, void *lock, bool nestable, uint32_t region,
                         uint64_t *slot, uint64_t now);

/* Takes the newest entry out into *entry; false when this thread has none. */
bool pomp_held_locks_take(struct pomp_thread *t, void *lock, struct pomp_held_lock *entry);

#endif
