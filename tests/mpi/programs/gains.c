/* A thread of rank 0 comes 0.2 s late, three times, and rank 1 waits for rank 0's message. If rank
 * 0's threads shared the work, both ranks would be done 0.3 s sooner. */
#include <mpi.h>
#include <omp.h>
#include <time.h>

static void nap(double seconds) {
  struct timespec t = {0, (long)(seconds * 1e9)};
  nanosleep(&t, NULL);
}

int main(int argc, char **argv) {
  int given, rank, word = 0, sum = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel num_threads(2)
  nap(0.01);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int round = 0; round < 3; round++) {
#pragma omp parallel num_threads(2)
    {
      if (rank == 0)
        nap(0.2 * omp_get_thread_num());
#pragma omp barrier
    }
    if (rank == 0)
      MPI_Send(&round, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else {
      MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      nap(0.05);
    }
    MPI_Allreduce(&word, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
