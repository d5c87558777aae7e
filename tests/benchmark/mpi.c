/* Small MPI calls: with a call's name and a number, one process makes this many calls; without, two
 * processes print the nanoseconds of each. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS = 20000 };

static int rank, size;
static double value = 1, sum;

static void send_receive(void) {
  int other = size - 1 - rank;
  if (rank)
    MPI_Recv(&sum, 1, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(&value, 1, MPI_DOUBLE, other, 0, MPI_COMM_WORLD);
  if (!rank)
    MPI_Recv(&sum, 1, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void begun(void) {
  MPI_Request requests[2];
  int other = size - 1 - rank;
  MPI_Irecv(&sum, 1, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&value, 1, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

/* Without another process a message is not awaited. */
static void alone(void) {
  MPI_Sendrecv(&value, 1, MPI_DOUBLE, 0, 0, &sum, 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF,
               MPI_STATUS_IGNORE);
}

static void allreduce(void) {
  MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void nothing(void) { MPI_Comm_rank(MPI_COMM_WORLD, &rank); }

static const struct call {
  const char *name;
  void (*make)(void);
} calls[] = {{"send-receive", send_receive},
             {"isend-irecv", begun},
             {"allreduce", allreduce},
             {"sendrecv", alone},
             {"comm-rank", nothing}};

static void repeat(const struct call *call, int turns) {
  for (int i = 0; i < turns; i++)
    call->make();
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    if (argc > 2 && !strcmp(argv[1], calls[i].name))
      repeat(&calls[i], atoi(argv[2]));
    if (argc > 2)
      continue;
    repeat(&calls[i], TURNS / 10);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    repeat(&calls[i], TURNS);
    if (!rank)
      printf("%s %.1f\n", calls[i].name, (MPI_Wtime() - begin) / TURNS * 1e9);
  }
  MPI_Finalize();
  return 0;
}
