/* Messages round a ring, for tools to count. */
#include <mpi.h>

enum { TIMES = 5 };

void ring(int times);

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  ring(TIMES);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}

#ifndef RING_APART
#include "ring.h"
#endif
