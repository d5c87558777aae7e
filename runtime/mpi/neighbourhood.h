/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The rules of collective calls among neighbours: with one at the edge of a grid, beyond which
 * there is none, nothing is exchanged. */
#ifndef POMP_MPI_NEIGHBOURHOOD_H
#define POMP_MPI_NEIGHBOURHOOD_H

#include "volume.h"

/* As many as there are in the arrays of a call, and as many as there are really. */
struct pomp_mpi_neighbours {
  bool grid;
  int in, out;
  uint64_t sources, destinations;
};

/* Neighbours in a grid come in pairs: the previous and the next one in each dimension. */
static inline bool pomp_mpi_is_neighbour(const struct pomp_mpi_neighbours *n, MPI_Comm comm,
                                         int i) {
  int before = 0, behind = 0;
  if (!n->grid)
    return true;
  PMPI_Cart_shift(comm, i / 2, 1, &before, &behind);
  return (i % 2 ? behind : before) != MPI_PROC_NULL;
}

static inline struct pomp_mpi_neighbours pomp_mpi_neighbours_of(MPI_Comm comm) {
  struct pomp_mpi_neighbours n = {0};
  int topology = MPI_UNDEFINED, rank = 0, weighted, dimensions = 0;
  PMPI_Topo_test(comm, &topology);
  if (topology == MPI_CART) {
    n.grid = true;
    PMPI_Cartdim_get(comm, &dimensions);
    n.in = n.out = 2 * dimensions;
    for (int i = 0; i < n.in; i++)
      n.sources += pomp_mpi_is_neighbour(&n, comm, i);
    n.destinations = n.sources;
    return n;
  }
  if (topology == MPI_GRAPH) {
    PMPI_Comm_rank(comm, &rank);
    PMPI_Graph_neighbors_count(comm, rank, &n.in);
    n.out = n.in;
  } else if (topology == MPI_DIST_GRAPH) {
    PMPI_Dist_graph_neighbors_count(comm, &n.in, &n.out, &weighted);
  }
  n.sources = (uint64_t)n.in;
  n.destinations = (uint64_t)n.out;
  return n;
}

/* `types` has one for all, or one for each. */
static inline uint64_t pomp_mpi_sum_neighbours(const struct pomp_mpi_neighbours *n, MPI_Comm comm,
                                               int count, const void *counts, size_t width,
                                               const MPI_Datatype *types, bool one_type) {
  uint64_t sum = 0;
  for (int i = 0; i < count; i++)
    if (pomp_mpi_is_neighbour(n, comm, i))
      sum += pomp_mpi_bytes(pomp_mpi_element(counts, width, i), types[one_type ? 0 : i]);
  return sum;
}

static inline void pomp_mpi_neighbor_allgather(struct pomp_mpi_volume *v, bool minimal,
                                               MPI_Count sendcount, MPI_Datatype sendtype,
                                               MPI_Count recvcount, MPI_Datatype recvtype,
                                               MPI_Comm comm) {
  struct pomp_mpi_neighbours n = pomp_mpi_neighbours_of(comm);
  uint64_t messages = minimal && n.destinations ? 1 : n.destinations;
  v->collectives++;
  pomp_mpi_moved(v, pomp_mpi_bytes(sendcount, sendtype) * messages,
                 pomp_mpi_bytes(recvcount, recvtype) * n.sources);
}

static inline void pomp_mpi_neighbor_allgatherv(struct pomp_mpi_volume *v, bool minimal,
                                                MPI_Count sendcount, MPI_Datatype sendtype,
                                                const void *recvcounts, size_t width,
                                                MPI_Datatype recvtype, MPI_Comm comm) {
  struct pomp_mpi_neighbours n = pomp_mpi_neighbours_of(comm);
  uint64_t messages = minimal && n.destinations ? 1 : n.destinations;
  v->collectives++;
  pomp_mpi_moved(v, pomp_mpi_bytes(sendcount, sendtype) * messages,
                 pomp_mpi_sum_neighbours(&n, comm, n.in, recvcounts, width, &recvtype, true));
}

static inline void pomp_mpi_neighbor_alltoall(struct pomp_mpi_volume *v, bool minimal,
                                              MPI_Count sendcount, MPI_Datatype sendtype,
                                              MPI_Count recvcount, MPI_Datatype recvtype,
                                              MPI_Comm comm) {
  struct pomp_mpi_neighbours n = pomp_mpi_neighbours_of(comm);
  (void)minimal;
  v->collectives++;
  pomp_mpi_moved(v, pomp_mpi_bytes(sendcount, sendtype) * n.destinations,
                 pomp_mpi_bytes(recvcount, recvtype) * n.sources);
}

static inline void pomp_mpi_neighbor_alltoallv(struct pomp_mpi_volume *v, bool minimal,
                                               const void *sendcounts, size_t send_width,
                                               MPI_Datatype sendtype, const void *recvcounts,
                                               size_t recv_width, MPI_Datatype recvtype,
                                               MPI_Comm comm) {
  struct pomp_mpi_neighbours n = pomp_mpi_neighbours_of(comm);
  (void)minimal;
  v->collectives++;
  pomp_mpi_moved(v,
                 pomp_mpi_sum_neighbours(&n, comm, n.out, sendcounts, send_width, &sendtype, true),
                 pomp_mpi_sum_neighbours(&n, comm, n.in, recvcounts, recv_width, &recvtype, true));
}

static inline void pomp_mpi_neighbor_alltoallw(struct pomp_mpi_volume *v, bool minimal,
                                               const void *sendcounts, size_t send_width,
                                               const MPI_Datatype *sendtypes,
                                               const void *recvcounts, size_t recv_width,
                                               const MPI_Datatype *recvtypes, MPI_Comm comm) {
  struct pomp_mpi_neighbours n = pomp_mpi_neighbours_of(comm);
  (void)minimal;
  v->collectives++;
  pomp_mpi_moved(v,
                 pomp_mpi_sum_neighbours(&n, comm, n.out, sendcounts, send_width, sendtypes, false),
                 pomp_mpi_sum_neighbours(&n, comm, n.in, recvcounts, recv_width, recvtypes, false));
}

#endif
