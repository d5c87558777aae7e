/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "memory.h"

#include <stdlib.h>

#include <sys/mman.h>

#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
#include <malloc.h>

enum { MOST = 1 << 30, HUGE_PAGE = 1 << 21 };

void pomp_keep_memory(uint64_t bytes) {
  mallopt(M_MMAP_THRESHOLD, MOST);
  mallopt(M_TRIM_THRESHOLD, MOST);
  if (bytes > MOST - HUGE_PAGE)
    bytes = MOST - HUGE_PAGE;
  char *room = malloc(bytes);
  uintptr_t first = ((uintptr_t)room + HUGE_PAGE - 1) & ~((uintptr_t)HUGE_PAGE - 1);
  if (room && bytes > HUGE_PAGE)
    madvise((void *)first, (bytes - HUGE_PAGE) & ~((uint64_t)HUGE_PAGE - 1), MADV_HUGEPAGE);
  free(room);
}
#else
void pomp_keep_memory(uint64_t bytes) { (void)bytes; }
#endif
