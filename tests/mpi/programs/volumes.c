/* Each row of the table of volumes once, in a critical section that has its name. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 5, UNIT = 3, ROOM = 64 };

static int rank, size, right, left;
static int sent[MOST * ROOM], received[MOST * ROOM];
static int send_counts[MOST], receive_counts[MOST], send_offsets[MOST], receive_offsets[MOST];
static MPI_Datatype types[MOST];

/* A process sends i + 1 units to process i, and gets as many as its own number from each. */
static void count(void) {
  for (int i = 0; i < size; i++) {
    send_counts[i] = UNIT * (i + 1);
    receive_counts[i] = UNIT * (rank + 1);
    send_offsets[i] = receive_offsets[i] = i * ROOM;
    types[i] = MPI_INT;
  }
}

static void messages(void) {
  MPI_Request request;
  MPI_Isend(sent, UNIT, MPI_INT, right, 0, MPI_COMM_WORLD, &request);
#pragma omp critical(recv)
  MPI_Recv(received, ROOM, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Irecv(received, ROOM, MPI_INT, left, 0, MPI_COMM_WORLD, &request);
#pragma omp critical(send)
  MPI_Send(sent, UNIT, MPI_INT, right, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
#pragma omp critical(sendrecv)
  MPI_Sendrecv(sent, UNIT, MPI_INT, right, 0, received, ROOM, MPI_INT, left, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
#pragma omp critical(sendrecv_replace)
  MPI_Sendrecv_replace(sent, UNIT, MPI_INT, right, 0, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Send in its other modes, which have the same volume. */
static void modes(void) {
  static char room[ROOM * sizeof(int) + MPI_BSEND_OVERHEAD];
  MPI_Request request, none = MPI_REQUEST_NULL;
  void *detached;
  int bytes;
  MPI_Buffer_attach(room, sizeof room);
  MPI_Irecv(received, ROOM, MPI_INT, left, 0, MPI_COMM_WORLD, &request);
#pragma omp critical(bsend)
  MPI_Bsend(sent, UNIT, MPI_INT, right, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Buffer_detach(&detached, &bytes);
  MPI_Irecv(received, ROOM, MPI_INT, left, 0, MPI_COMM_WORLD, &request);
#pragma omp critical(ssend)
  MPI_Ssend(sent, UNIT, MPI_INT, right, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Irecv(received, ROOM, MPI_INT, left, 0, MPI_COMM_WORLD, &request);
  MPI_Barrier(MPI_COMM_WORLD);
#pragma omp critical(rsend)
  MPI_Rsend(sent, UNIT, MPI_INT, right, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
#pragma omp critical(wait)
  MPI_Wait(&none, MPI_STATUS_IGNORE);
}

static void one_to_all(int root) {
  int all[MOST], offsets[MOST];
  for (int i = 0; i < size; i++) {
    all[i] = UNIT * (i + 1);
    offsets[i] = i * ROOM;
  }
#pragma omp critical(bcast)
  MPI_Bcast(sent, UNIT, MPI_INT, root, MPI_COMM_WORLD);
#pragma omp critical(scatter)
  MPI_Scatter(sent, UNIT, MPI_INT, received, UNIT, MPI_INT, root, MPI_COMM_WORLD);
#pragma omp critical(gather)
  MPI_Gather(sent, UNIT, MPI_INT, received, UNIT, MPI_INT, root, MPI_COMM_WORLD);
#pragma omp critical(scatterv)
  MPI_Scatterv(sent, all, offsets, MPI_INT, received, all[rank], MPI_INT, root, MPI_COMM_WORLD);
#pragma omp critical(gatherv)
  MPI_Gatherv(sent, all[rank], MPI_INT, received, all, offsets, MPI_INT, root, MPI_COMM_WORLD);
#pragma omp critical(allgatherv)
  MPI_Allgatherv(sent, all[rank], MPI_INT, received, all, offsets, MPI_INT, MPI_COMM_WORLD);
#pragma omp critical(reduce)
  MPI_Reduce(sent, received, UNIT, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
#pragma omp critical(reduce_scatter)
  MPI_Reduce_scatter(sent, received, all, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void all_to_all(void) {
#pragma omp critical(allgather)
  MPI_Allgather(sent, UNIT, MPI_INT, received, UNIT, MPI_INT, MPI_COMM_WORLD);
#pragma omp critical(allreduce)
  MPI_Allreduce(sent, received, UNIT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#pragma omp critical(scan)
  MPI_Scan(sent, received, UNIT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#pragma omp critical(alltoall)
  MPI_Alltoall(sent, UNIT, MPI_INT, received, UNIT, MPI_INT, MPI_COMM_WORLD);
#pragma omp critical(alltoallv)
  MPI_Alltoallv(sent, send_counts, send_offsets, MPI_INT, received, receive_counts,
                receive_offsets, MPI_INT, MPI_COMM_WORLD);
}

static void time_only(void) {
  char packed[ROOM];
  int position = 0;
  MPI_Request request;
#pragma omp critical(barrier)
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Isend(sent, UNIT, MPI_INT, right, 1, MPI_COMM_WORLD, &request);
#pragma omp critical(probe)
  MPI_Probe(left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(received, ROOM, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
#pragma omp critical(pack)
  MPI_Pack(sent, UNIT, MPI_INT, packed, ROOM, &position, MPI_COMM_WORLD);
  position = 0;
#pragma omp critical(unpack)
  MPI_Unpack(packed, ROOM, &position, received, UNIT, MPI_INT, MPI_COMM_WORLD);
}

/* Calls that the table does not name. */
static void others(void) {
#pragma omp critical(alltoallw)
  {
    int s[MOST], r[MOST];
    for (int i = 0; i < size; i++) {
      s[i] = send_offsets[i] * (int)sizeof(int);
      r[i] = receive_offsets[i] * (int)sizeof(int);
    }
    MPI_Alltoallw(sent, send_counts, s, types, received, receive_counts, r, types,
                  MPI_COMM_WORLD);
  }
#pragma omp critical(exscan)
  MPI_Exscan(sent, received, UNIT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#pragma omp critical(reduce_scatter_block)
  MPI_Reduce_scatter_block(sent, received, UNIT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  right = (rank + 1) % size;
  left = (rank + size - 1) % size;
  count();
  messages();
  modes();
  one_to_all(size - 1);
  all_to_all();
  time_only();
  others();
  MPI_Finalize();
  return 0;
}
