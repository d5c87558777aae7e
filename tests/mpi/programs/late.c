/* Rank 1 waits for ten messages of rank 0, which sends the sixth 0.4 seconds late.  Rank 1 says when
 * it began to wait for that one, from MPI_Init's end, and for how long. */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

static void nap(double seconds) {
  struct timespec t = {0, (long)(seconds * 1e9)};
  nanosleep(&t, NULL);
}

int main(int argc, char **argv) {
  int rank, token = 0;
  double wait_begin = 0, took = 0;
  MPI_Init(&argc, &argv);
  double began = MPI_Wtime();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int turn = 0; turn < 10; turn++) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
      nap(turn == 5 ? 0.4 : 0.01);
      MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
      double since = MPI_Wtime();
      MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (turn == 5) {
        wait_begin = since - began;
        took = MPI_Wtime() - since;
      }
    }
  }
  if (rank == 1)
    printf("%.9f %.9f\n", wait_begin, took);
  MPI_Finalize();
  return 0;
}
