/* Everything at once: each thread of each process sends, receives and meets the others on its own
 * communicator, while other threads complete the requests that it began. Prints the sum of the
 * received data, which depends only on the number of rounds. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, AHEAD = 6, MOST = 700 };

struct share {
  MPI_Comm comm;
  MPI_Request begun[2 * AHEAD], again[2];
  int sent[AHEAD][MOST], got[AHEAD][MOST], kept[2];
};

static struct share shares[THREADS];
static int rank, size;

static int length(int round, int i) { return 1 + (round * 131 + i * 37) % MOST; }

static long sum_of(const int *values, int count) {
  long sum = 0;
  for (int i = 0; i < count; i++)
    sum += values[i];
  return sum;
}

static void begin(struct share *s, int round) {
  int right = (rank + 1) % size, left = (rank + size - 1) % size;
  for (int i = 0; i < AHEAD; i++) {
    for (int k = 0; k < length(round, i); k++)
      s->sent[i][k] = round + i + k;
    MPI_Irecv(s->got[i], MOST, MPI_INT, left, i, s->comm, &s->begun[2 * i]);
    if (i % 2)
      MPI_Isend(s->sent[i], length(round, i), MPI_INT, right, i, s->comm, &s->begun[2 * i + 1]);
    else
      MPI_Issend(s->sent[i], length(round, i), MPI_INT, right, i, s->comm, &s->begun[2 * i + 1]);
  }
}

static void complete_some(MPI_Request *requests, int count) {
  int indices[2 * AHEAD], done = 0, all = 0;
  while (all < count) {
    MPI_Waitsome(count, requests, &done, indices, MPI_STATUSES_IGNORE);
    all += done;
  }
}

static void complete_any(MPI_Request *requests, int count) {
  for (int i = 0, index; i < count; i++)
    MPI_Waitany(count, requests, &index, MPI_STATUS_IGNORE);
}

static void complete_tested(MPI_Request *requests, int count) {
  int done = 0;
  while (!done)
    MPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE);
}

/* In another way each round, and of another thread's. */
static long complete(struct share *s, int round) {
  long sum = 0;
  if (round % 4 == 0)
    complete_some(s->begun, 2 * AHEAD);
  else if (round % 4 == 1)
    complete_any(s->begun, 2 * AHEAD);
  else if (round % 4 == 2)
    complete_tested(s->begun, 2 * AHEAD);
  else
    MPI_Waitall(2 * AHEAD, s->begun, MPI_STATUSES_IGNORE);
  for (int i = 0; i < AHEAD; i++)
    sum += sum_of(s->got[i], length(round, i));
  return sum;
}

static long persistent(struct share *s, int round) {
  s->kept[0] = round;
  MPI_Startall(2, s->again);
  MPI_Waitall(2, s->again, MPI_STATUSES_IGNORE);
  return s->kept[1];
}

static long together(struct share *s, int round) {
  int mine = rank + round, all = 0, later = 0, first = round;
  MPI_Request request;
  MPI_Iallreduce(&mine, &later, 1, MPI_INT, MPI_MAX, s->comm, &request);
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, s->comm);
  MPI_Bcast(&first, 1, MPI_INT, round % size, s->comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return all + later + first;
}

static long matched(struct share *s, int round) {
  int right = (rank + 1) % size, left = (rank + size - 1) % size, got = 0;
  MPI_Message message;
  MPI_Request request;
  MPI_Isend(&round, 1, MPI_INT, right, 99, s->comm, &request);
  MPI_Mprobe(left, 99, s->comm, &message, MPI_STATUS_IGNORE);
  MPI_Mrecv(&got, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return got;
}

static long work(int rounds) {
  long sum = 0;
#pragma omp parallel num_threads(THREADS) reduction(+ : sum)
  {
    int self = omp_get_thread_num();
    for (int round = 0; round < rounds; round++) {
      begin(&shares[self], round);
#pragma omp barrier
      sum += complete(&shares[(self + round) % THREADS], round);
#pragma omp barrier
      sum += persistent(&shares[self], round) + together(&shares[self], round);
#pragma omp critical(matched)
      sum += round;
      sum += matched(&shares[self], round);
    }
  }
  return sum;
}

static void prepare(void) {
  int right = (rank + 1) % size, left = (rank + size - 1) % size;
  for (int i = 0; i < THREADS; i++) {
    struct share *s = &shares[i];
    MPI_Comm_dup(MPI_COMM_WORLD, &s->comm);
    MPI_Send_init(&s->kept[0], 1, MPI_INT, right, 77, s->comm, &s->again[0]);
    MPI_Recv_init(&s->kept[1], 1, MPI_INT, left, 77, s->comm, &s->again[1]);
  }
}

int main(int argc, char **argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (level != MPI_THREAD_MULTIPLE || argc < 2)
    MPI_Abort(MPI_COMM_WORLD, 1);
  prepare();
  printf("%d: %ld\n", rank, work(atoi(argv[1])));
  for (int i = 0; i < THREADS; i++) {
    MPI_Request_free(&shares[i].again[0]);
    MPI_Request_free(&shares[i].again[1]);
    MPI_Comm_free(&shares[i].comm);
  }
  MPI_Finalize();
  return 0;
}
