/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The trace of MPI: docs/reference/trace-format.md; pomp_clang/trace/layout.py mirrors it. */
#ifndef POMP_MPI_EVENTS_H
#define POMP_MPI_EVENTS_H

enum pomp_mpi_event {
  POMP_MPI_ENTERS,        /* value: the function, and the call site << POMP_MPI_SITE_SHIFT */
  POMP_MPI_ENTERS_WITHIN, /* the same, within another call */
  POMP_MPI_LEAVES,
  POMP_MPI_LEAVES_WITHIN,
  POMP_MPI_OPERATION = 8 /* + enum pomp_mpi_role * 8 + enum pomp_mpi_state */
};

enum pomp_mpi_role {
  POMP_MPI_SENDS,
  POMP_MPI_RECEIVES,
  POMP_MPI_GATHERS,  /* a collective operation */
  POMP_MPI_ACCESSES, /* one-sided, and its synchronization */
  POMP_MPI_FILES
};

/* The values of an event, in order:
 *
 *               1                   2                      3              4
 *     WHOLE     group << 32 | tag   counts << 32 | rank    bytes
 *     BEGUN     group << 32 | tag   rank                   of a send      serial
 *     PREPARED  group << 32 | tag   counts << 32 | rank                   serial
 *     others    group << 32 | tag   counts << 32 | rank    bytes          serial
 *
 * Bytes are one value of a send (out) or of a receive (in), and two values of other roles: out, in.
 * An empty column takes no value. */
enum pomp_mpi_state {
  POMP_MPI_WHOLE,    /* the call begins it, and completes it */
  POMP_MPI_BEGUN,    /* the call begins it */
  POMP_MPI_COMPLETE, /* the call completes it */
  POMP_MPI_CANCELLED,
  POMP_MPI_FREED,    /* its end will not be known */
  POMP_MPI_LOST,     /* nor will its bytes: it does not count */
  POMP_MPI_PREPARED, /* it is going to be begun, with this serial */
  POMP_MPI_STATES = 8
};

#define POMP_MPI_SITE_SHIFT 16

/* Counts: of sends, receives << 8, collective operations << 16; and this. */
#define POMP_MPI_IN_PARTS (1u << 23)

/* Ranks that are none. */
enum { POMP_MPI_NOBODY = -1, POMP_MPI_ANYBODY = -2, POMP_MPI_ITSELF = -3 };

#endif
