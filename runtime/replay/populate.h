/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Memory that will be written to: had page by page it costs a fault each. */
#ifndef POMP_REPLAY_POPULATE_H
#define POMP_REPLAY_POPULATE_H

#include <stdint.h>
#include <sys/mman.h>

/* NumPy asks for huge pages for larger arrays. */
enum { PAGE = 4096, SMALLEST_FRESH = 1 << 15, LARGEST_FRESH = 1 << 22 };

/* As much as lies in whole pages; where the kernel does not know how, nothing happens. */
static inline void have_ready(const void *begin, uint64_t rows, uint64_t size) {
#ifdef MADV_POPULATE_WRITE
  uintptr_t from = ((uintptr_t)begin + PAGE - 1) & -(uintptr_t)PAGE;
  uintptr_t to = ((uintptr_t)begin + rows * size) & -(uintptr_t)PAGE;
  if (begin && rows * size >= SMALLEST_FRESH && rows * size < LARGEST_FRESH)
    (void)madvise((void *)from, to - from, MADV_POPULATE_WRITE);
#else
  (void)begin, (void)rows, (void)size;
#endif
}

#define HAVE_READY(column, rows) have_ready(column, rows, sizeof *(column))

#endif
