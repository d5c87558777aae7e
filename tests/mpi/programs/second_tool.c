/* Another tool on MPI's profiling interface, as such tools are: it counts, and says so at the end. */
#include <mpi.h>
#include <stdio.h>

static int sends, barriers;

int MPI_Send(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
  __atomic_fetch_add(&sends, 1, __ATOMIC_RELAXED);
  return PMPI_Send(buf, count, type, dest, tag, comm);
}

int MPI_Barrier(MPI_Comm comm) {
  __atomic_fetch_add(&barriers, 1, __ATOMIC_RELAXED);
  return PMPI_Barrier(comm);
}

int MPI_Finalize(void) {
  int rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  printf("%d: tool: %d sends, %d barriers\n", rank, sends, barriers);
  fflush(stdout);
  return PMPI_Finalize();
}

/* The other MPI functions that stacked.c calls. */
#ifdef WHOLE
int MPI_Init(int *argc, char ***argv) { return PMPI_Init(argc, argv); }

int MPI_Comm_rank(MPI_Comm comm, int *rank) { return PMPI_Comm_rank(comm, rank); }

int MPI_Comm_size(MPI_Comm comm, int *size) { return PMPI_Comm_size(comm, size); }

int MPI_Recv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
             MPI_Status *status) {
  return PMPI_Recv(buf, count, type, source, tag, comm, status);
}
#endif
