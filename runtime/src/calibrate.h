/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef POMP_CALIBRATE_H
#define POMP_CALIBRATE_H

#include "export.h"

/* Measures what an event costs here, some microseconds long, and writes it into the
 * experiment.  Within pomp_slow_begin and _end, when the measurement runs. */
void pomp_calibrate(void);

/* A pair of events costs what it does inlined, if the program has any so: that is known when they
 * have been there. */
void pomp_calibrate_end(void);

/* The same of a critical section, in the OpenMP runtime that the program is about to enter one in,
 * which starts it up, and of a master block that the program is in.  Only the first call does
 * anything, and none where another OpenMP tool may be told of it. */
void pomp_calibrate_critical(OMPRegDescr *d);
void pomp_calibrate_master(OMPRegDescr *d);

#endif
