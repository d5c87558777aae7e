/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counters of PAPI, where its library is on the machine: it is loaded when it is asked. */
#ifndef POMP_PAPI_H
#define POMP_PAPI_H

#include "counters/metrics.h"

bool pomp_papi_find(struct pomp_metric *m);

/* The calling thread's set of counters, counting from here on; -1 when there is none. */
int pomp_papi_open(void);
void pomp_papi_close(int set);
void pomp_papi_read(int set, uint64_t *values);

#endif
