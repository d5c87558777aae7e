/* Every kind of message, collective operation and access, each with a tag or size of its own. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, before, behind;
static const MPI_Comm world = MPI_COMM_WORLD;
static int in[64], out[64];

static void blocking(void) {
  for (int i = 0; i < 3; i++) {
    if (rank % 2) {
      MPI_Recv(in, 64, MPI_INT, before, 10, world, MPI_STATUS_IGNORE);
      MPI_Send(out, i + 1, MPI_INT, behind, 10, world);
    } else {
      MPI_Send(out, i + 1, MPI_INT, behind, 10, world);
      MPI_Recv(in, 64, MPI_INT, before, 10, world, MPI_STATUS_IGNORE);
    }
  }
}

static void anybody(void) {
  MPI_Status status;
  if (rank)
    MPI_Send(out, rank, MPI_INT, 0, 11, world);
  for (int i = 1; !rank && i < size; i++)
    MPI_Recv(in, 64, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, world, &status);
  MPI_Barrier(world);
}

static void requests(void) {
  MPI_Request r[4];
  int index, count, indices[4], done = 0;
  MPI_Irecv(in, 64, MPI_INT, before, 12, world, &r[0]);
  MPI_Isend(out, 5, MPI_INT, behind, 12, world, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);

  MPI_Recv_init(in, 64, MPI_INT, MPI_ANY_SOURCE, 13, world, &r[0]);
  MPI_Send_init(out, 6, MPI_INT, behind, 13, world, &r[1]);
  for (int i = 0; i < 3; i++) {
    MPI_Startall(2, r);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&r[0]);
  MPI_Request_free(&r[1]);

  MPI_Irecv(in, 64, MPI_INT, before, 14, world, &r[0]);
  MPI_Issend(out, 7, MPI_INT, behind, 14, world, &r[1]);
  MPI_Waitany(2, r, &index, MPI_STATUS_IGNORE);
  MPI_Waitany(2, r, &index, MPI_STATUS_IGNORE);

  MPI_Irecv(in, 64, MPI_INT, before, 15, world, &r[0]);
  MPI_Irecv(in + 32, 32, MPI_INT, before, 15, world, &r[1]);
  MPI_Isend(out, 8, MPI_INT, behind, 15, world, &r[2]);
  MPI_Isend(out, 9, MPI_INT, behind, 15, world, &r[3]);
  while (done < 4) {
    MPI_Testsome(4, r, &count, indices, MPI_STATUSES_IGNORE);
    done += count == MPI_UNDEFINED ? 4 : count;
  }
}

static void probed(void) {
  MPI_Message first, second;
  MPI_Request r[2];
  int found = 0;
  MPI_Isend(out, 1, MPI_INT, behind, 16, world, &r[0]);
  MPI_Isend(out, 2, MPI_INT, behind, 16, world, &r[1]);
  MPI_Mprobe(before, 16, world, &first, MPI_STATUS_IGNORE);
  MPI_Mprobe(MPI_ANY_SOURCE, 16, world, &second, MPI_STATUS_IGNORE);
  MPI_Mrecv(in, 64, MPI_INT, &second, MPI_STATUS_IGNORE);
  MPI_Mrecv(in, 64, MPI_INT, &first, MPI_STATUS_IGNORE);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);

  MPI_Isend(out, 3, MPI_INT, behind, 21, world, &r[0]);
  while (!found)
    MPI_Improbe(before, 21, world, &found, &first, MPI_STATUS_IGNORE);
  MPI_Imrecv(in, 64, MPI_INT, &first, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}

static void odd(void) {
  MPI_Request r;
  MPI_Irecv(in, 64, MPI_INT, before, 17, world, &r);
  MPI_Cancel(&r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Barrier(world);
  MPI_Sendrecv(out, 4, MPI_INT, behind, 17, in, 64, MPI_INT, before, 17, world, MPI_STATUS_IGNORE);

  MPI_Send(out, 5, MPI_INT, MPI_PROC_NULL, 18, world);
  MPI_Recv(in, 64, MPI_INT, MPI_PROC_NULL, 18, world, MPI_STATUS_IGNORE);

  MPI_Isend(out, 6, MPI_INT, rank, 19, world, &r);
  MPI_Recv(in, 64, MPI_INT, rank, 19, world, MPI_STATUS_IGNORE);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Isend(out, 7, MPI_INT, 0, 19, MPI_COMM_SELF, &r);
  MPI_Recv(in, 64, MPI_INT, 0, 19, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Wait(&r, MPI_STATUS_IGNORE);

  MPI_Sendrecv_replace(out, 8, MPI_INT, behind, 20, before, 20, world, MPI_STATUS_IGNORE);

  MPI_Isend(out, 9, MPI_INT, behind, 25, world, &r);
  MPI_Request_free(&r);
  MPI_Recv(in, 64, MPI_INT, before, 25, world, MPI_STATUS_IGNORE);
}

static void communicators(void) {
  MPI_Comm half, twin, between, both;
  MPI_Request r;
  int own, count;
  MPI_Comm_split(world, rank % 2, -rank, &half);
  MPI_Comm_rank(half, &own);
  MPI_Comm_size(half, &count);
  if (count > 1 && own == 0)
    MPI_Send(out, 10, MPI_INT, 1, 22, half);
  if (own == 1)
    MPI_Recv(in, 64, MPI_INT, 0, 22, half, MPI_STATUS_IGNORE);

  MPI_Intercomm_create(half, 0, world, rank % 2 ? (size - 1) / 2 * 2 : (size - 2) / 2 * 2 + 1, 99,
                       &between);
  if (own == 0) {
    MPI_Irecv(in, 64, MPI_INT, 0, 23, between, &r);
    MPI_Send(out, 11 + rank % 2, MPI_INT, 0, 23, between);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  }
  MPI_Bcast(out, 17, MPI_INT, rank % 2 ? 0 : own == 0 ? MPI_ROOT : MPI_PROC_NULL, between);
  MPI_Intercomm_merge(between, rank % 2, &both);
  MPI_Allreduce(out, in, 18, MPI_INT, MPI_SUM, both);
  MPI_Comm_free(&both);
  MPI_Comm_free(&between);

  for (int i = 0; i < 3; i++) {
    MPI_Comm_dup(half, &twin);
    MPI_Bcast(out, 19 + i, MPI_INT, count - 1, twin);
    MPI_Comm_free(&twin);
  }
  MPI_Comm_idup(half, &twin, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Barrier(twin);
  MPI_Comm_free(&twin);
  MPI_Comm_free(&half);
}

static void collectives(void) {
  MPI_Request r[2];
  MPI_Reduce(out, in, 3, MPI_INT, MPI_SUM, size - 1, world);
  MPI_Ibcast(in, 4, MPI_INT, 1, world, &r[0]);
  MPI_Iallreduce(out, in + 32, 5, MPI_INT, MPI_SUM, world, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  MPI_Scan(out, in, 6, MPI_INT, MPI_SUM, world);
  MPI_Allgather(out, 1, MPI_INT, in, 1, MPI_INT, world);
#if MPI_VERSION >= 4
  MPI_Bcast_init(in, 7, MPI_INT, 0, world, MPI_INFO_NULL, &r[0]);
  MPI_Bcast_init(in + 32, 8, MPI_INT, 0, world, MPI_INFO_NULL, &r[1]);
  for (int i = 0; i < 2; i++) {
    MPI_Startall(2, r);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&r[0]);
  MPI_Request_free(&r[1]);
#endif
}

static void windows(void) {
  MPI_Group all, to, from;
  MPI_Win win;
  int memory[64] = {0};
  MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, world, &win);
  MPI_Win_fence(0, win);
  MPI_Put(out, 5, MPI_INT, behind, 0, 5, MPI_INT, win);
  MPI_Win_fence(0, win);
  MPI_Comm_group(world, &all);
  MPI_Group_incl(all, 1, &behind, &to);
  MPI_Group_incl(all, 1, &before, &from);
  MPI_Win_post(from, 0, win);
  MPI_Win_start(to, 0, win);
  MPI_Get(in, 6, MPI_INT, behind, 0, 6, MPI_INT, win);
  MPI_Win_complete(win);
  MPI_Win_wait(win);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, behind, 0, win);
  MPI_Accumulate(out, 7, MPI_INT, behind, 8, 7, MPI_INT, MPI_SUM, win);
  MPI_Win_unlock(behind, win);
  MPI_Group_free(&to);
  MPI_Group_free(&from);
  MPI_Group_free(&all);
  MPI_Win_free(&win);
}

static void threads(void) {
#pragma omp parallel num_threads(2)
  {
    int mine[16] = {0};
    for (int i = 0; i < 10; i++) {
      MPI_Request r;
      MPI_Isend(mine, 1, MPI_INT, behind, 24, world, &r);
      MPI_Recv(mine + 8, 8, MPI_INT, before, 24, world, MPI_STATUS_IGNORE);
      MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
  }
}

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &size);
  before = (rank + size - 1) % size;
  behind = (rank + 1) % size;
  blocking();
  anybody();
  requests();
  probed();
  odd();
  communicators();
  collectives();
  windows();
  threads();
  MPI_Finalize();
  return provided != MPI_THREAD_MULTIPLE;
}
