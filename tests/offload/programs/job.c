/* A job in which each process launches more kernels than the one before. */
#include <mpi.h>
#include <stdio.h>

#define SIZE 1000

static double a[SIZE];

int main(int count, char **arguments) {
  int rank, sum;
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int visit = 0; visit <= rank; visit++)
#pragma omp target map(tofrom : a)
    for (int i = 0; i < SIZE; i++)
      a[i] += i;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  printf("%g %d\n", a[2], sum);
  MPI_Finalize();
}
