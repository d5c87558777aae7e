/* Figure 6: four threads send a mebibyte each, ten times, in a critical section. */
#include <mpi.h>
#include <omp.h>
enum { N = 1 << 20 };
int main(int argc, char **argv) {
  int level, rank;
  static char sent[4][N];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    for (int i = 0; i < 10; i++) {
#pragma omp parallel num_threads(4)
      {
#pragma omp critical
        MPI_Send(sent[omp_get_thread_num()], N, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
      }
    }
  } else if (rank == 1)
    for (int i = 0; i < 40; i++)
      MPI_Recv(sent[0], N, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
