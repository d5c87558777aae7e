/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The rules of collective calls.  In place, a process's own part moves nowhere. */
#ifndef POMP_MPI_COLLECTIVE_H
#define POMP_MPI_COLLECTIVE_H

#include "volume.h"

static inline void pomp_mpi_barrier(struct pomp_mpi_volume *v, bool minimal) {
  (void)minimal;
  v->collectives++;
}

static inline void pomp_mpi_bcast(struct pomp_mpi_volume *v, bool minimal, MPI_Count count,
                                  MPI_Datatype type, int root, MPI_Comm comm) {
  struct pomp_mpi_group g = pomp_mpi_group_of(comm);
  enum pomp_mpi_part part = pomp_mpi_part_of(&g, root);
  v->collectives++;
  if (part == POMP_MPI_ROOT)
    v->out += pomp_mpi_bytes(count, type) * (minimal ? 1 : g.others);
  else if (part == POMP_MPI_OTHER)
    v->in += pomp_mpi_bytes(count, type);
}

/* The process's role in a call in which the root has a part for each process, and each process has
 * its own part.  With `buffer` MPI_IN_PLACE the root moves no part to or from itself. */
struct pomp_mpi_rooted {
  bool is_root;
  bool has_part;
  uint64_t parts;
  int except;
  int np;
};

static inline struct pomp_mpi_rooted pomp_mpi_rooted(struct pomp_mpi_volume *v, const void *buffer,
                                                     int root, MPI_Comm comm) {
  struct pomp_mpi_group g = pomp_mpi_group_of(comm);
  enum pomp_mpi_part part = pomp_mpi_part_of(&g, root);
  bool is_root = part == POMP_MPI_ROOT;
  bool in_place = is_root && !g.inter && buffer == MPI_IN_PLACE;
  v->collectives++;
  return (struct pomp_mpi_rooted){
      .is_root = is_root,
      .has_part = part == POMP_MPI_OTHER || (is_root && !g.inter && !in_place),
      .parts = in_place ? g.others : g.np,
      .except = in_place ? g.rank : POMP_MPI_ALL,
      .np = (int)g.np,
  };
}

static inline void pomp_mpi_scatter(struct pomp_mpi_volume *v, bool minimal, MPI_Count sendcount,
                                    MPI_Datatype sendtype, const void *recvbuf, MPI_Count recvcount,
                                    MPI_Datatype recvtype, int root, MPI_Comm comm) {
  struct pomp_mpi_rooted r = pomp_mpi_rooted(v, recvbuf, root, comm);
  (void)minimal;
  if (r.is_root)
    v->out += pomp_mpi_bytes(sendcount, sendtype) * r.parts;
  if (r.has_part)
    v->in += pomp_mpi_bytes(recvcount, recvtype);
}

static inline void pomp_mpi_scatterv(struct pomp_mpi_volume *v, bool minimal,
                                     const void *sendcounts, size_t width, MPI_Datatype sendtype,
                                     const void *recvbuf, MPI_Count recvcount,
                                     MPI_Datatype recvtype, int root, MPI_Comm comm) {
  struct pomp_mpi_rooted r = pomp_mpi_rooted(v, recvbuf, root, comm);
  (void)minimal;
  if (r.is_root)
    v->out += pomp_mpi_sum(sendcounts, width, sendtype, r.np, r.except);
  if (r.has_part)
    v->in += pomp_mpi_bytes(recvcount, recvtype);
}

static inline void pomp_mpi_gather(struct pomp_mpi_volume *v, bool minimal, const void *sendbuf,
                                   MPI_Count sendcount, MPI_Datatype sendtype, MPI_Count recvcount,
                                   MPI_Datatype recvtype, int root, MPI_Comm comm) {
  struct pomp_mpi_rooted r = pomp_mpi_rooted(v, sendbuf, root, comm);
  (void)minimal;
  if (r.is_root)
    v->in += pomp_mpi_bytes(recvcount, recvtype) * r.parts;
  if (r.has_part)
    v->out += pomp_mpi_bytes(sendcount, sendtype);
}

static inline void pomp_mpi_gatherv(struct pomp_mpi_volume *v, bool minimal, const void *sendbuf,
                                    MPI_Count sendcount, MPI_Datatype sendtype,
                                    const void *recvcounts, size_t width, MPI_Datatype recvtype,
                                    int root, MPI_Comm comm) {
  struct pomp_mpi_rooted r = pomp_mpi_rooted(v, sendbuf, root, comm);
  (void)minimal;
  if (r.is_root)
    v->in += pomp_mpi_sum(recvcounts, width, recvtype, r.np, r.except);
  if (r.has_part)
    v->out += pomp_mpi_bytes(sendcount, sendtype);
}

/* Bytes that a process contributes to all: once, or a message for each. */
static inline uint64_t pomp_mpi_contributed(const struct pomp_mpi_group *g, bool minimal,
                                            bool in_place, uint64_t bytes) {
  uint64_t messages = in_place ? g->others : g->np;
  return bytes * (minimal && messages ? 1 : messages);
}

static inline void pomp_mpi_allgather(struct pomp_mpi_volume *v, bool minimal, const void *sendbuf,
                                      MPI_Count sendcount, MPI_Datatype sendtype,
                                      MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  struct pomp_mpi_group g = pomp_mpi_group_of(comm);
  bool in_place = sendbuf == MPI_IN_PLACE;
  uint64_t part = pomp_mpi_bytes(recvcount, recvtype);
  uint64_t own = in_place ? part : pomp_mpi_bytes(sendcount, sendtype);
  v->collectives++;
  pomp_mpi_moved(v, pomp_mpi_contributed(&g, minimal, in_place, own),
                 part * (in_place ? g.others : g.np));
}

static inline void pomp_mpi_allgatherv(struct pomp_mpi_volume *v, bool minimal, const void *sendbuf,
                                       MPI_Count sendcount, MPI_Datatype sendtype,
                                       const void *recvcounts, size_t width, MPI_Datatype recvtype,
                                       MPI_Comm comm) {
  struct pomp_mpi_group g = pomp_mpi_group_of(comm);
  bool in_place = sendbuf == MPI_IN_PLACE;
  uint64_t own = in_place ? pomp_mpi_bytes(pomp_mpi_element(recvcounts, width, g.rank), recvtype)
                          : pomp_mpi_bytes(sendcount, sendtype);
  v->collectives++;
  pomp_mpi_moved(
      v, pomp_mpi_contributed(&g, minimal, in_place, own),
      pomp_mpi_sum(recvcounts, width, recvtype, (int)g.np, in_place ? g.rank : POMP_MPI_ALL));
}

static inline void pomp_mpi_reduce(struct pomp_mpi_volume *v, bool minimal, MPI_Count count,
                                   MPI_Datatype type, int root, MPI_Comm comm) {
  struct pomp_mpi_group g = pomp_mpi_group_of(comm);
  enum pomp_mpi_part part = pomp_mpi_part_of(&g, root);
  v->collectives++;
  if (part == POMP_MPI_ROOT)
    v->in += pomp_mpi_bytes(count, type) * (minimal ? 1 : g.others);
  else if (part == POMP_MPI_OTHER)
    v->out += pomp_mpi_bytes(count, type);
}

static inline void pomp_mpi_allreduce(struct pomp_mpi_volume *v, bool minimal, MPI_Count count,
                                      MPI_Datatype type, MPI_Comm comm) {
  struct pomp_mpi_group g = pomp_mpi_group_of(comm);
  uint64_t bytes = pomp_mpi_bytes(count, type) * (minimal ? 1 : g.others);
  v->collectives++;
  pomp_mpi_moved(v, bytes, bytes);
}

/* Between two groups a process has its part of the other group's result, and contributes to all
 * of its own. */
static inline void pomp_mpi_reduce_scatter(struct pomp_mpi_volume *v, bool minimal,
                                           const void *recvcounts, size_t width, MPI_Datatype type,
                                           MPI_Comm comm) {
  struct pomp_mpi_group g = pomp_mpi_group_of(comm);
  uint64_t own = pomp_mpi_bytes(pomp_mpi_element(recvcounts, width, g.rank), type);
  v->collectives++;
  pomp_mpi_moved(v, pomp_mpi_sum(recvcounts, width, type, g.size, g.inter ? POMP_MPI_ALL : g.rank),
                 own * (minimal ? 1 : g.others));
}

static inline void pomp_mpi_reduce_scatter_block(struct pomp_mpi_volume *v, bool minimal,
                                                 MPI_Count recvcount, MPI_Datatype type,
                                                 MPI_Comm comm) {
  struct pomp_mpi_group g = pomp_mpi_group_of(comm);
  uint64_t own = pomp_mpi_bytes(recvcount, type);
  v->collectives++;
  pomp_mpi_moved(v, own * (uint64_t)(g.inter ? g.size : g.size - 1),
                 own * (minimal ? 1 : g.others));
}

/* The first receives nothing, the last sends nothing. */
static inline void pomp_mpi_scan(struct pomp_mpi_volume *v, bool minimal, MPI_Count count,
                                 MPI_Datatype type, MPI_Comm comm) {
  struct pomp_mpi_group g = pomp_mpi_group_of(comm);
  uint64_t bytes = pomp_mpi_bytes(count, type);
  (void)minimal;
  v->collectives++;
  pomp_mpi_moved(v, g.rank < g.size - 1 ? bytes : 0, g.rank > 0 ? bytes : 0);
}

static inline void pomp_mpi_alltoall(struct pomp_mpi_volume *v, bool minimal, const void *sendbuf,
                                     MPI_Count sendcount, MPI_Datatype sendtype,
                                     MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  struct pomp_mpi_group g = pomp_mpi_group_of(comm);
  bool in_place = sendbuf == MPI_IN_PLACE;
  uint64_t in = pomp_mpi_bytes(recvcount, recvtype);
  uint64_t out = in_place ? in : pomp_mpi_bytes(sendcount, sendtype);
  uint64_t messages = in_place ? g.others : g.np;
  (void)minimal;
  v->collectives++;
  pomp_mpi_moved(v, out * messages, in * messages);
}

static inline void pomp_mpi_alltoallv(struct pomp_mpi_volume *v, bool minimal, const void *sendbuf,
                                      const void *sendcounts, size_t send_width,
                                      MPI_Datatype sendtype, const void *recvcounts,
                                      size_t recv_width, MPI_Datatype recvtype, MPI_Comm comm) {
  struct pomp_mpi_group g = pomp_mpi_group_of(comm);
  bool in_place = sendbuf == MPI_IN_PLACE;
  uint64_t in =
      pomp_mpi_sum(recvcounts, recv_width, recvtype, (int)g.np, in_place ? g.rank : POMP_MPI_ALL);
  (void)minimal;
  v->collectives++;
  if (!in_place)
    v->out += pomp_mpi_sum(sendcounts, send_width, sendtype, (int)g.np, POMP_MPI_ALL);
  pomp_mpi_moved(v, in_place ? in : 0, in);
}

static inline void pomp_mpi_alltoallw(struct pomp_mpi_volume *v, bool minimal, const void *sendbuf,
                                      const void *sendcounts, size_t send_width,
                                      const MPI_Datatype *sendtypes, const void *recvcounts,
                                      size_t recv_width, const MPI_Datatype *recvtypes,
                                      MPI_Comm comm) {
  struct pomp_mpi_group g = pomp_mpi_group_of(comm);
  bool in_place = sendbuf == MPI_IN_PLACE;
  uint64_t in = pomp_mpi_sum_of(recvcounts, recv_width, recvtypes, (int)g.np,
                                in_place ? g.rank : POMP_MPI_ALL);
  (void)minimal;
  v->collectives++;
  if (!in_place)
    v->out += pomp_mpi_sum_of(sendcounts, send_width, sendtypes, (int)g.np, POMP_MPI_ALL);
  pomp_mpi_moved(v, in_place ? in : 0, in);
}

#endif
