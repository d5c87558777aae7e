/* Calls of MPI from lines that a comment names, one of them by a function named after the call. */
#include <mpi.h>
#include <unistd.h>

static __attribute__((noinline)) void app_MPI_Barrier(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  __asm__ volatile("");
}

__attribute__((noinline)) void meet(int again) {
  app_MPI_Barrier(); /* MPI_Barrier in meet */
  if (again)
    meet(again - 1);
  __asm__ volatile("");
}

int main(int argc, char **argv) {
  int own = 1, all = 0, rank = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  usleep(rank ? 0 : 200000);
  meet(2);
  MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* MPI_Allreduce in main */
#pragma omp parallel
  {
#pragma omp master
    MPI_Bcast(&all, 1, MPI_INT, 0, MPI_COMM_WORLD); /* MPI_Bcast in main */
  }
  MPI_Finalize();
  return 0;
}
