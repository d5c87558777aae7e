/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What an event does only at first touch: one at a time in the process. */
#ifndef POMP_SLOW_H
#define POMP_SLOW_H

#include <stdbool.h>
#include <stddef.h>

/* False: this thread is in here already, and a signal handler interrupted it.
 * errno is kept, and the thread is not cancelled, until pomp_slow_end. */
bool pomp_slow_begin(void);
void pomp_slow_end(void);

/* Memory of the process, zeroed, never given back; NULL when there is none.
 * malloc may be the program's own, and instrumented.  Within begin and end. */
void *pomp_private(size_t size);

#endif
