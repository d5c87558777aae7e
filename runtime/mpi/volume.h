/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Bytes that a call moves, by the rules that the table of functions names.  They are computed after
 * the call, when its arguments have proved to be valid, from local information only. */
#ifndef POMP_MPI_VOLUME_H
#define POMP_MPI_VOLUME_H

#include "hooks.h"

#include <mpi.h>
#include <stddef.h>

/* No part is left out of a sum. */
enum { POMP_MPI_ALL = -1 };

/* A communicator as a member sees it: `np` processes are sent to or received from, `others` of
 * them are not itself. */
struct pomp_mpi_group {
  bool inter;
  int rank, size;
  uint64_t np, others;
};

enum pomp_mpi_part { POMP_MPI_NO_PART, POMP_MPI_ROOT, POMP_MPI_OTHER };

static inline uint64_t pomp_mpi_bytes(MPI_Count count, MPI_Datatype type) {
  MPI_Count size = 0;
  if (count > 0)
    PMPI_Type_size_x(type, &size);
  return size > 0 ? (uint64_t)count * (uint64_t)size : 0;
}

/* Returns an element of an array of int or of MPI_Count. */
static inline MPI_Count pomp_mpi_element(const void *counts, size_t width, int i) {
  return width == sizeof(int) ? ((const int *)counts)[i] : ((const MPI_Count *)counts)[i];
}

static inline uint64_t pomp_mpi_sum(const void *counts, size_t width, MPI_Datatype type, int n,
                                    int without) {
  MPI_Count sum = 0;
  for (int i = 0; i < n; i++)
    sum += i == without ? 0 : pomp_mpi_element(counts, width, i);
  return pomp_mpi_bytes(sum, type);
}

static inline uint64_t pomp_mpi_sum_of(const void *counts, size_t width, const MPI_Datatype *types,
                                       int n, int without) {
  uint64_t sum = 0;
  for (int i = 0; i < n; i++)
    sum += i == without ? 0 : pomp_mpi_bytes(pomp_mpi_element(counts, width, i), types[i]);
  return sum;
}

static inline struct pomp_mpi_group pomp_mpi_group_of(MPI_Comm comm) {
  struct pomp_mpi_group g = {0};
  int inter = 0, remote = 0;
  PMPI_Comm_test_inter(comm, &inter);
  PMPI_Comm_rank(comm, &g.rank);
  PMPI_Comm_size(comm, &g.size);
  if (inter)
    PMPI_Comm_remote_size(comm, &remote);
  g.inter = inter != 0;
  g.np = (uint64_t)(inter ? remote : g.size);
  g.others = inter ? g.np : g.np - 1;
  return g;
}

static inline enum pomp_mpi_part pomp_mpi_part_of(const struct pomp_mpi_group *g, int root) {
  if (g->inter && root == MPI_PROC_NULL)
    return POMP_MPI_NO_PART;
  return root == (g->inter ? MPI_ROOT : g->rank) ? POMP_MPI_ROOT : POMP_MPI_OTHER;
}

static inline void pomp_mpi_moved(struct pomp_mpi_volume *v, uint64_t out, uint64_t in) {
  v->out += out;
  v->in += in;
}

/* Messages. */
static inline void pomp_mpi_send(struct pomp_mpi_volume *v, bool minimal, int dest, MPI_Count count,
                                 MPI_Datatype type) {
  (void)minimal;
  v->sends++;
  v->out += dest == MPI_PROC_NULL ? 0 : pomp_mpi_bytes(count, type);
}

static inline void pomp_mpi_receive(struct pomp_mpi_volume *v, bool minimal) {
  (void)minimal;
  v->receives++;
  v->status = POMP_MPI_ARRIVED;
}

/* Sends in parts: all parts are there when the operation is complete. */
static inline void pomp_mpi_send_parts(struct pomp_mpi_volume *v, bool minimal, int dest, int parts,
                                       MPI_Count count, MPI_Datatype type) {
  pomp_mpi_send(v, minimal, dest, parts * count, type);
}

static inline void pomp_mpi_receive_parts(struct pomp_mpi_volume *v, bool minimal, int source,
                                          int parts, MPI_Count count, MPI_Datatype type) {
  (void)minimal;
  v->receives++;
  v->in += source == MPI_PROC_NULL ? 0 : pomp_mpi_bytes(parts * count, type);
}

/* One-sided: a target is sent to, or received from. */
static inline void pomp_mpi_get(struct pomp_mpi_volume *v, bool minimal, int target,
                                MPI_Count count, MPI_Datatype type) {
  pomp_mpi_receive_parts(v, minimal, target, 1, count, type);
}

static inline void pomp_mpi_exchange(struct pomp_mpi_volume *v, bool minimal, int target, MPI_Op op,
                                     MPI_Count count, MPI_Datatype type, MPI_Count result_count,
                                     MPI_Datatype result_type) {
  if (op != MPI_NO_OP)
    pomp_mpi_send(v, minimal, target, count, type);
  pomp_mpi_get(v, minimal, target, result_count, result_type);
}

/* The value to compare with goes to the target, too. */
static inline void pomp_mpi_swap(struct pomp_mpi_volume *v, bool minimal, int target,
                                 MPI_Datatype type) {
  pomp_mpi_send(v, minimal, target, 2, type);
  pomp_mpi_get(v, minimal, target, 1, type);
}

/* Files: bytes read come in, bytes written go out. */
static inline void pomp_mpi_read(struct pomp_mpi_volume *v, bool minimal) {
  pomp_mpi_receive(v, minimal);
}

static inline void pomp_mpi_write(struct pomp_mpi_volume *v, bool minimal) {
  (void)minimal;
  v->sends++;
  v->status = POMP_MPI_WRITTEN;
}

static inline void pomp_mpi_read_all(struct pomp_mpi_volume *v, bool minimal) {
  (void)minimal;
  v->collectives++;
  v->status = POMP_MPI_ARRIVED;
}

static inline void pomp_mpi_write_all(struct pomp_mpi_volume *v, bool minimal) {
  (void)minimal;
  v->collectives++;
  v->status = POMP_MPI_WRITTEN;
}

#endif
