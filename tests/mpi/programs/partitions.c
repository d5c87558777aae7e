/* Messages of several partitions, which threads give and look for one by one; sender and receiver
 * may divide a message differently.  Two processes or more, in a ring. */
#include <mpi.h>
#include <stdlib.h>

enum { UNIT = 3, PARTS = 4, TOGETHER = UNIT * PARTS };

static int rank, size, right, left;
static int sent[TOGETHER], received[TOGETHER];

static void given_by_threads(MPI_Request send, MPI_Request receive) {
#pragma omp parallel for num_threads(PARTS) schedule(static, 1)
  for (int part = 0; part < PARTS; part++) {
    for (int i = 0; i < UNIT; i++)
      sent[part * UNIT + i] = rank;
#pragma omp critical(pready)
    MPI_Pready(part, send);
  }
  for (int part = 0; part < PARTS / 2; part++)
    for (int there = 0; !there;)
#pragma omp critical(parrived)
      MPI_Parrived(receive, part, &there);
}

static void given_together(MPI_Request send) {
  int last = PARTS - 1;
#pragma omp critical(pready_range)
  MPI_Pready_range(0, PARTS - 2, send);
#pragma omp critical(pready_list)
  MPI_Pready_list(1, &last, send);
}

int main(int argc, char **argv) {
  MPI_Request pair[2];
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  right = (rank + 1) % size;
  left = (rank + size - 1) % size;
#pragma omp critical(prepared)
  {
    MPI_Psend_init(sent, PARTS, UNIT, MPI_INT, right, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &pair[0]);
    MPI_Precv_init(received, PARTS / 2, 2 * UNIT, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                   &pair[1]);
  }
#pragma omp critical(start)
  MPI_Startall(2, pair);
  given_by_threads(pair[0], pair[1]);
#pragma omp critical(waitall)
  MPI_Waitall(2, pair, MPI_STATUSES_IGNORE);
#pragma omp critical(again)
  for (int i = 0; i < 3; i++) {
    MPI_Startall(2, pair);
    given_together(pair[0]);
    MPI_Wait(&pair[0], MPI_STATUS_IGNORE);
    MPI_Wait(&pair[1], MPI_STATUS_IGNORE);
  }
  for (int i = 0; i < TOGETHER; i++)
    if (received[i] != left)
      abort();
  MPI_Request_free(&pair[0]);
  MPI_Request_free(&pair[1]);
  MPI_Finalize();
  return 0;
}
