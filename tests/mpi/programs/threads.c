/* All threads of all processes at once: each begins what another one completes. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

enum { THREADS = 4, TIMES = 200, AHEAD = 8 };

static int sent[THREADS][AHEAD], got[THREADS][AHEAD];
static MPI_Request requests[THREADS][2 * AHEAD];

static void begin(int thread, int peer) {
  for (int i = 0; i < AHEAD; i++) {
    int tag = thread * AHEAD + i;
    sent[thread][i] = tag;
    MPI_Irecv(&got[thread][i], 1, MPI_INT, peer, tag, MPI_COMM_WORLD, &requests[thread][2 * i]);
    MPI_Isend(&sent[thread][i], 1, MPI_INT, peer, tag, MPI_COMM_WORLD,
              &requests[thread][2 * i + 1]);
  }
}

static long complete(int thread) {
  long sum = 0;
  if (thread % 2)
    MPI_Waitall(2 * AHEAD, requests[thread], MPI_STATUSES_IGNORE);
  for (int i = 0, done = 0; i < 2 * AHEAD; i++, done = 0)
    while (!done)
      MPI_Test(&requests[thread][i], &done, MPI_STATUS_IGNORE);
  for (int i = 0; i < AHEAD; i++)
    sum += got[thread][i];
  return sum;
}

int main(int argc, char **argv) {
  int level, rank;
  long sum = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  if (level != MPI_THREAD_MULTIPLE)
    MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel num_threads(THREADS) reduction(+ : sum)
  for (int i = 0; i < TIMES; i++) {
    begin(omp_get_thread_num(), 1 - rank);
#pragma omp barrier
    sum += complete((omp_get_thread_num() + 1) % THREADS);
#pragma omp barrier
  }
  printf("%d: %ld\n", rank, sum);
  MPI_Finalize();
  return 0;
}
