/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef POMP_REPLAY_MEMORY_H
#define POMP_REPLAY_MEMORY_H

#include "columns.h"

/* From here on the process keeps memory that it frees, for the next columns of the same size: the
 * kernel clears pages that it hands out again.  The next `bytes` come in huge pages, where the
 * system has any: each page costs a fault. */
POMP_REPLAY_EXPORT void pomp_keep_memory(uint64_t bytes);

#endif
