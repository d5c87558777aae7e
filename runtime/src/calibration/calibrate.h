/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef POMP_CALIBRATE_H
#define POMP_CALIBRATE_H

#include "export.h"

/* Measures what an event costs here, some microseconds long, and writes it into the
 * experiment.  The caller holds the init lock, and the measurement runs. */
void pomp_calibrate(void);

/* A pair of events costs what it does inlined, if the program has any so: that is known when they
 * have been there. */
void pomp_calibrate_end(void);

/* The same for a critical section and for a master block, in the program's OpenMP runtime.  The
 * program is about to enter the critical section, which starts the runtime up anyway, or is in the
 * master block.  Only the first call does anything, and none does if another OpenMP tool may see
 * it. */
void pomp_calibrate_critical(OMPRegDescr *d);
void pomp_calibrate_master(OMPRegDescr *d);

#endif
