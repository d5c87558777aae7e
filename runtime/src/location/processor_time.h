/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How long a location's threads were on a processor, by the system's clock of each thread, and how
 * long they waited for one, by /proc.  Both are read where a thread ends, at a snapshot and at the
 * program's end: never by an event. */
#ifndef POMP_PROCESSOR_TIME_H
#define POMP_PROCESSOR_TIME_H

#include "location/thread.h"

/* Notes what the initial thread had run and waited when this library was loaded. */
void pomp_processor_time_load(void);

/* Begins to count, for a thread that has got its location. */
void pomp_processor_time_begin(struct pomp_thread *t);

/* Stores the time up to now; of any living thread, by any. */
void pomp_processor_time_read(struct pomp_thread *t);

/* Stores the time of all locations that a thread has; who calls it keeps others from coming. */
void pomp_processor_time_read_all(void);

/* Begins to count anew in a forked child, whose only thread has its own clock. */
void pomp_processor_time_restart(struct pomp_thread *t, bool lives);

#endif
