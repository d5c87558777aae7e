/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Places from which a program calls MPI. */
#ifndef POMP_CALL_SITE_H
#define POMP_CALL_SITE_H

#include <stdint.h>

struct pomp_call_sites; /* those that a thread has seen lately */

/* For a recorded process, with the init lock held: looks for the unwinder. */
void pomp_call_sites_start(void);

/* Returns the number of the place that the caller's caller returns to; 0: it has none.  `frame` is
 * an address in the frame of the caller, `seen` the thread's own.
 *
 * A place is a text `mpi_site_N` of return addresses, the innermost first.  Several, because what
 * calls MPI may be a library's function for all calls, or the procedure for Fortran. */
uint32_t pomp_call_site(struct pomp_call_sites **seen, const void *site, const void *frame);

#endif
