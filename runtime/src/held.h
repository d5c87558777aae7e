/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The locks that a thread holds. */
#ifndef POMP_HELD_H
#define POMP_HELD_H

#include "thread.h"

bool pomp_held_make(struct pomp_thread *t);

/* region 0: held, but not measured.  A lock that cannot be held twice takes the
 * place of what another thread has released. */
void pomp_held_add(struct pomp_thread *t, void *lock, bool nestable, uint32_t region,
                   uint64_t *slot, uint64_t now);

/* Takes the newest entry out into *entry; false when this thread has none. */
bool pomp_held_take(struct pomp_thread *t, void *lock, struct pomp_held_lock *entry);

void pomp_held_close_all(struct pomp_thread *t, uint64_t now);
void pomp_held_mute(struct pomp_thread *t);

#endif
