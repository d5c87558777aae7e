/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The lock of the process that an event takes only when it meets something for the first time. */
#ifndef POMP_INIT_LOCK_H
#define POMP_INIT_LOCK_H

#include <stdbool.h>
#include <stddef.h>

/* False: this thread is in here already, and a signal handler interrupted it.
 * errno is kept, and the thread is not cancelled, until pomp_init_unlock. */
bool pomp_init_lock(void);
void pomp_init_unlock(void);

/* Memory of the process, zeroed, never given back; NULL when there is none.
 * malloc may be the program's own, and instrumented.  The caller holds the init lock. */
void *pomp_private(size_t size);

#endif
