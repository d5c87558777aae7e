/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counters of perf_event, those of one thread. */
#ifndef POMP_PERF_H
#define POMP_PERF_H

#include "counters/metrics.h"

struct perf_event_mmap_page;

/* Counters that are read together. */
struct pomp_perf_group {
  int fds[POMP_MOST_METRICS]; /* the first one leads */
  struct perf_event_mmap_page *pages[POMP_MOST_METRICS];
  uint32_t metrics[POMP_MOST_METRICS];
  uint32_t count;
};

struct pomp_perf {
  struct pomp_perf_group groups[POMP_MOST_METRICS];
  uint32_t count;
};

/* True if the machine has such a counter; otherwise sets errno. */
bool pomp_perf_offers(struct pomp_metric *m);

/* The calling thread's, from here on.  False, and errno, where one could not be had. */
bool pomp_perf_open(struct pomp_perf *p);
void pomp_perf_close(struct pomp_perf *p);

/* In a forked child: the same, of the parent's. */
void pomp_perf_forget(struct pomp_perf *p);

/* Into values, by the metrics' numbers; what cannot be read stays. */
void pomp_perf_read(const struct pomp_perf *p, uint64_t *values);

/* The same, of another thread's. */
void pomp_perf_look(const struct pomp_perf *p, uint64_t *values);

#endif
