/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is done with a thread's events, which follows what the process and the thread are in. */
#ifndef POMP_MODE_H
#define POMP_MODE_H

#include "thread.h"

/* The thread itself brings its mode up to date; what it skipped and is still open has frames
 * after that. */
void pomp_mode_settle(struct pomp_thread *t);

/* After a change for all threads, by any of them: none measures before it has settled. */
void pomp_modes_change(void);

#endif
