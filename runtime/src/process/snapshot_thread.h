/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The thread that takes snapshots at an interval and at a signal, where that was asked for. */
#ifndef POMP_SNAPSHOT_THREAD_H
#define POMP_SNAPSHOT_THREAD_H

#include "system/settings.h"

void pomp_snapshot_thread_start(const struct pomp_settings *settings);

/* From here on it takes none; it may be called more than once. */
void pomp_snapshot_thread_stop(void);

/* Waits for its end, and gives the signal up: the code may be unloaded after this. */
void pomp_snapshot_thread_finish(void);

/* In a forked child, which has no such thread. */
void pomp_snapshot_thread_forget(void);

#endif
