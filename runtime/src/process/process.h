/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The process's measurement: when it ends.  How it starts: state.h. */
#ifndef POMP_PROCESS_H
#define POMP_PROCESS_H

/* Ends the measurement for good. */
void pomp_end(void);

#endif
