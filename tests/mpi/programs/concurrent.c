/* MPI_THREAD_MULTIPLE beyond messages: each thread makes and frees communicators, receives from any
 * source, probes, and accesses windows, all at once. Prints a sum that depends only on the number
 * of rounds. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, MOST = 64, PAGE = 4096 };

/* MPICH 4.0 loses data put into windows unless they are made in turn and of aligned memory. */
struct share {
  MPI_Comm comm;
  MPI_Win win;
  int *shared;
};

static struct share shares[THREADS];
static int rank, size;

/* From all, in any order, with any tag; half of them are probed before. */
static long from_anybody(MPI_Comm comm, int round) {
  MPI_Request sent[MOST];
  long sum = 0;
  int value = rank + round;
  for (int to = 0; to < size; to++)
    MPI_Isend(&value, 1, MPI_INT, to, rank + 1, comm, &sent[to]);
  for (int i = 0; i < size; i++) {
    MPI_Status status;
    MPI_Message message;
    int got = 0, found = 0;
    if (i % 2) {
      while (!found)
        MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &found, &message, &status);
      MPI_Mrecv(&got, 1, MPI_INT, &message, &status);
    } else {
      while (!found)
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &found, &status);
      MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
    }
    sum += got + status.MPI_TAG * status.MPI_SOURCE;
  }
  MPI_Waitall(size, sent, MPI_STATUSES_IGNORE);
  return sum;
}

static long of_short_life(MPI_Comm comm, int round) {
  MPI_Comm twin, half, later;
  MPI_Request request;
  int one = 1, all = 0, some = 0;
  MPI_Comm_dup(comm, &twin);
  MPI_Comm_idup(comm, &later, &request);
  MPI_Comm_split(twin, (rank + round) % 2, rank, &half);
  MPI_Allreduce(&one, &some, 1, MPI_INT, MPI_SUM, half);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Allreduce(&some, &all, 1, MPI_INT, MPI_SUM, later);
  MPI_Comm_free(&half);
  MPI_Comm_free(&later);
  MPI_Comm_free(&twin);
  return all;
}

/* To the next one's window, and from it. */
static long one_sided(struct share *s, int round) {
  int mine = rank + round, got = 0, next = (rank + 1) % size;
  MPI_Win_fence(0, s->win);
  MPI_Put(&mine, 1, MPI_INT, next, 0, 1, MPI_INT, s->win);
  MPI_Win_fence(0, s->win);
  mine = *s->shared;
  MPI_Win_fence(0, s->win);
  MPI_Get(&got, 1, MPI_INT, next, 0, 1, MPI_INT, s->win);
  MPI_Win_fence(0, s->win);
  return 3 * mine + got;
}

int main(int argc, char **argv) {
  int level, rounds = argc > 1 ? atoi(argv[1]) : 1;
  long sum = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (level != MPI_THREAD_MULTIPLE)
    MPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < THREADS; i++) {
    struct share *s = &shares[i];
    MPI_Comm_dup(MPI_COMM_WORLD, &s->comm);
    s->shared = aligned_alloc(PAGE, PAGE);
    MPI_Win_create(s->shared, PAGE, sizeof(int), MPI_INFO_NULL, s->comm, &s->win);
  }
#pragma omp parallel num_threads(THREADS) reduction(+ : sum)
  {
    struct share *s = &shares[omp_get_thread_num()];
    for (int round = 0; round < rounds; round++) {
#pragma omp critical(round)
      sum++;
      sum += from_anybody(s->comm, round) + of_short_life(s->comm, round);
      if (round % 4 == 0)
        sum += one_sided(s, round);
    }
  }
  printf("%d: %ld\n", rank, sum);
  for (int i = 0; i < THREADS; i++) {
    MPI_Win_free(&shares[i].win);
    free(shares[i].shared);
    MPI_Comm_free(&shares[i].comm);
  }
  MPI_Finalize();
  return 0;
}
