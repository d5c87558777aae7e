/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "memory.h"

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>

enum { MOST = 1 << 30 };

void pomp_keep_memory(void) {
  mallopt(M_MMAP_THRESHOLD, MOST);
  mallopt(M_TRIM_THRESHOLD, MOST);
}
#else
void pomp_keep_memory(void) {}
#endif
