/* Each process passes a number on; one is late, and threads work in between. */
#include <mpi.h>
#include <time.h>
int main(int argc, char **argv) {
  int level, rank, size, own, got;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 20; i++) {
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int j = 0; j < 1000; j++)
      sum += j;
    if (rank == i % size)
      nanosleep(&(struct timespec){0, 1000000}, NULL);
    own = sum;
    MPI_Sendrecv(&own, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT, (rank + size - 1) % size,
                 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (i % 4 == 0)
      MPI_Allreduce(&own, &got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
