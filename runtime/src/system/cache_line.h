/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Cache lines that threads write in turn. */
#ifndef POMP_CACHE_LINE_H
#define POMP_CACHE_LINE_H

/* Fetches a line that the thread is about to write, and goes on meanwhile.  A store of that time
 * would wait for the line, and all later ones for that store.  Processors without the instruction
 * ignore it. */
static inline void pomp_cache_line_fetch(void *line) {
#if defined __x86_64__
  __asm__ volatile("prefetchw %0" : : "m"(*(char *)line));
#else
  __builtin_prefetch(line, 1);
#endif
}

#endif
