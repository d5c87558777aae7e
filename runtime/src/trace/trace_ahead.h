/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A thread of the runtime that makes room for traces before the threads with many events need it.
 * It creates the files' extents and pages, and unmaps full room. */
#ifndef POMP_TRACE_AHEAD_H
#define POMP_TRACE_AHEAD_H

/* Without it each thread makes room for itself. */
void pomp_trace_ahead_start(void);

/* No room is made after this. */
void pomp_trace_ahead_stop(void);

/* In a forked child: it was not taken along. */
void pomp_trace_ahead_forget(void);

#endif
