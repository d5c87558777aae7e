/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The mode of a thread: how its events are treated, as the state of process and thread asks for. */
#ifndef POMP_MODE_H
#define POMP_MODE_H

#include "location/thread.h"

/* The thread itself brings its mode up to date: pomp_settle does so for a thread that may have
 * visits open that do not count. */
void pomp_mode_settle(struct pomp_thread *t);

/* After a change for all threads, by any of them: none measures before it has settled. */
void pomp_modes_change(void);

#endif
