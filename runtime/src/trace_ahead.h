/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Room for the traces of locations that record much, made before they need it, by a thread of the
 * measurement's own: it creates files' extents and pages, and gives back what is full. */
#ifndef POMP_TRACE_AHEAD_H
#define POMP_TRACE_AHEAD_H

/* Without it each thread makes room for itself. */
void pomp_trace_ahead_start(void);

/* No room is made after this. */
void pomp_trace_ahead_stop(void);

/* In a forked child: it was not taken along. */
void pomp_trace_ahead_forget(void);

#endif
