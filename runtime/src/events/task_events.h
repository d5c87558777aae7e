/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef POMP_TASK_EVENTS_H
#define POMP_TASK_EVENTS_H

#include "location/thread.h"

/* Begins a task of the region, on the call path that the thread keeps for it, and returns its
 * frame; NULL if there is no room.  The caller records it.  `counts` unless its visit was counted
 * before, on another thread or in an earlier part. */
struct pomp_frame *pomp_task_begin(struct pomp_thread *t, uint32_t region, bool counts);

#endif
