/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef POMP_REPLAY_MEMORY_H
#define POMP_REPLAY_MEMORY_H

#include "columns.h"

/* From here on the process keeps memory that it frees, for the next columns of the same size: the
 * kernel clears pages that it hands out again. */
POMP_REPLAY_EXPORT void pomp_keep_memory(void);

#endif
