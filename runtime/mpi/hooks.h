/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The functions of the runtime that the MPI wrappers call.  The wrappers are built for each MPI;
 * these functions are the same for all.  Wrappers stay in programs: after a change here the number
 * in the names has to change. */
#ifndef POMP_MPI_HOOKS_H
#define POMP_MPI_HOOKS_H

#include "events.h"

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
  bool recorded;  /* in a trace */
  bool is_init;
  struct pomp_mpi_volume volume;
};

/* An operation, for a trace.  `rank` and `tag` are those of the other process in the communicator
 * or window `group`; for a received message they are `source` and `source_tag`. */
struct pomp_mpi_about {
  uint32_t group;
  int32_t rank, tag; /* of a collective operation the tag is the root */
  int32_t source, source_tag;
  uint8_t role;    /* enum pomp_mpi_role; a message's is known by the volume */
  bool in_parts;   /* a message that matches only others that are */
  uint64_t serial; /* of the request */
};

/* An operation that is not complete yet, under the handle of its request. */
struct pomp_mpi_request {
  _Atomic uint64_t key; /* 0: free; 1: held */
  struct pomp_mpi_volume volume;
  bool persistent, active, cancelled;
  struct pomp_mpi_about about; /* where it is recorded */
  const void *made;            /* the communicator that there is when it is complete */
};

#define pomp_mpi_begin pomp_mpi_begin_4
#define pomp_mpi_begin_at pomp_mpi_begin_at_4
#define pomp_mpi_end pomp_mpi_end_4
#define pomp_mpi_started pomp_mpi_started_4
#define pomp_mpi_pend pomp_mpi_pend_4
#define pomp_mpi_hold pomp_mpi_hold_4
#define pomp_mpi_let_go pomp_mpi_let_go_4
#define pomp_mpi_drop pomp_mpi_drop_4
#define pomp_mpi_tell pomp_mpi_tell_4
#define pomp_mpi_serial pomp_mpi_serial_4
#define pomp_mpi_define pomp_mpi_define_4
#define pomp_mpi_ticks pomp_mpi_ticks_4
#define pomp_mpi_agree pomp_mpi_agree_4
#define pomp_mpi_compare pomp_mpi_compare_4

#pragma GCC visibility push(default)

/* `function` is its row in pomp_clang.mpi.names, with POMP_MPI_INIT if it begins or ends the use of
 * MPI.  `site` is where the call returns to, or NULL. */
#define POMP_MPI_INIT 0x80000000U
void pomp_mpi_begin_at(struct pomp_mpi_call *call, unsigned function, const void *site);
void pomp_mpi_begin(struct pomp_mpi_call *call, unsigned function); /* of earlier wrappers */
void pomp_mpi_end(struct pomp_mpi_call *call);

/* Adds what an operation moved to a call's. */
static inline void pomp_mpi_add(struct pomp_mpi_volume *to, const struct pomp_mpi_volume *from) {
  to->in += from->in;
  to->out += from->out;
  to->receives += from->receives;
  to->sends += from->sends;
  to->collectives += from->collectives;
}

/* MPI is ready: what the process is in it.  `functions` are the names of the table's rows, in
 * their order, with a space between.  Returns whether it is recorded. */
struct pomp_mpi_process {
  int rank, size;
  const char *thread_level, *library, *functions;
};
bool pomp_mpi_started(const struct pomp_mpi_process *process);

/* Returns the request, held.  NULL if the operation has to be booked at once: there is no memory,
 * or MPI gives this handle to all operations that were complete when they began. */
struct pomp_mpi_request *pomp_mpi_pend(uint64_t key, const struct pomp_mpi_volume *volume,
                                       bool persistent);

/* The caller's alone until it is let go, to be found again, or dropped; NULL: there is none. */
struct pomp_mpi_request *pomp_mpi_hold(uint64_t key);
void pomp_mpi_let_go(struct pomp_mpi_request *request, uint64_t key);
void pomp_mpi_drop(struct pomp_mpi_request *request);

/* Records the new state of an operation of a recorded call, and the bytes that it moved. */
void pomp_mpi_tell(const struct pomp_mpi_call *call, const struct pomp_mpi_about *about,
                   enum pomp_mpi_state state, const struct pomp_mpi_volume *volume);

/* Another one for each request of the process. */
uint64_t pomp_mpi_serial(const struct pomp_mpi_call *call);

/* Notes a communicator or window, and returns its number; 0 when there is none to be had. */
uint32_t pomp_mpi_define(const char *what);

/* For a recorded process: returns the ranks of the processes that compare their clocks, in order
 * and the same for each of them.  0 if this process is not among them.  Other processes need do
 * nothing. */
enum { POMP_MPI_MACHINES = 1000 };
unsigned pomp_mpi_agree(const struct pomp_mpi_process *process, int ranks[POMP_MPI_MACHINES]);

/* The clock of the trace, and what it said when another process's said something: `when` is
 * "begin" or "end". */
uint64_t pomp_mpi_ticks(void);
struct pomp_mpi_comparison {
  int rank;
  uint64_t own, theirs, round_trip; /* ticks */
};
void pomp_mpi_compare(const char *when, const struct pomp_mpi_comparison *with);

#pragma GCC visibility pop

#endif
