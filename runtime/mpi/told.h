/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the functions of an MPI tell the runtime.  They are built for each MPI that is met, this
 * is the same for all.  They stay in programs: what changes here changes the names' number. */
#ifndef POMP_MPI_TOLD_H
#define POMP_MPI_TOLD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* From whose status it is known how much was moved. */
enum pomp_mpi_status { POMP_MPI_KNOWN, POMP_MPI_ARRIVED, POMP_MPI_WRITTEN };

/* Bytes and operations of one call. */
struct pomp_mpi_volume {
  uint64_t in, out;
  uint32_t receives, sends, collectives;
  uint32_t status; /* enum pomp_mpi_status */
};

/* A call under way, on the stack of who makes it. */
struct pomp_mpi_call {
  void *thread;   /* NULL: it is not measured */
  uint64_t start; /* ticks; 0: within another call */
  bool minimal;   /* what logically must arrive or leave, rather than messages one by one */
  struct pomp_mpi_volume volume;
};

/* An operation that is not complete yet, under the handle of its request. */
struct pomp_mpi_request {
  _Atomic uint64_t key; /* 0: free; 1: held */
  struct pomp_mpi_volume volume;
  bool persistent, active, cancelled;
};

#define pomp_mpi_begin pomp_mpi_begin_1
#define pomp_mpi_end pomp_mpi_end_1
#define pomp_mpi_started pomp_mpi_started_1
#define pomp_mpi_pend pomp_mpi_pend_1
#define pomp_mpi_hold pomp_mpi_hold_1
#define pomp_mpi_let_go pomp_mpi_let_go_1
#define pomp_mpi_drop pomp_mpi_drop_1

#pragma GCC visibility push(default)

void pomp_mpi_begin(struct pomp_mpi_call *call);
void pomp_mpi_end(struct pomp_mpi_call *call);

/* Adds what an operation moved to a call's. */
static inline void pomp_mpi_add(struct pomp_mpi_volume *to, const struct pomp_mpi_volume *from) {
  to->in += from->in;
  to->out += from->out;
  to->receives += from->receives;
  to->sends += from->sends;
  to->collectives += from->collectives;
}

/* MPI is ready: what the process is in it. */
struct pomp_mpi_process {
  int rank, size;
  const char *thread_level, *library;
};
void pomp_mpi_started(const struct pomp_mpi_process *process);

/* False where the operation is to be booked at once: there is no memory, or the handle is one
 * that MPI gives to all operations that were complete when they began. */
bool pomp_mpi_pend(uint64_t key, const struct pomp_mpi_volume *volume, bool persistent);

/* The caller's alone until it is let go, to be found again, or dropped; NULL: there is none. */
struct pomp_mpi_request *pomp_mpi_hold(uint64_t key);
void pomp_mpi_let_go(struct pomp_mpi_request *request, uint64_t key);
void pomp_mpi_drop(struct pomp_mpi_request *request);

#pragma GCC visibility pop

#endif
