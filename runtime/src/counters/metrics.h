/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The metrics that POMP_METRICS asks for. */
#ifndef POMP_METRICS_H
#define POMP_METRICS_H

#include "state.h"

#include <stdbool.h>
#include <stdint.h>

enum { POMP_MOST_METRICS = 64, POMP_METRIC_NAME = 64 };

struct pomp_metric {
  char name[POMP_METRIC_NAME];
  bool by_papi;
  uint32_t type; /* of perf_event; else the code is PAPI's */
  uint64_t code;
};

extern struct pomp_metric pomp_metrics[POMP_MOST_METRICS];

/* Chooses those metrics of the list that this machine can count; reports the others.  The list is
 * names, and "name=expression" of names, separated by commas. */
void pomp_metrics_choose(const char *list);

/* The records that say it. */
void pomp_metrics_describe(const char *list);

#endif
