/* Cases beyond the table of volumes: in place, between groups, requests completed elsewhere,
 * one-sided, neighborhood collectives, and files. Four processes. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { UNIT = 3, ROOM = 64, MANY = 40 };

static int rank, size, right, left;
static int sent[ROOM], received[ROOM];

static void in_place(void) {
  int counts[4] = {UNIT, UNIT, UNIT, UNIT}, offsets[4] = {0, 16, 32, 48};
  int root = 1, bytes[4] = {0, 64, 128, 192};
  MPI_Datatype types[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
  void *own = rank == root ? MPI_IN_PLACE : (void *)sent;
#pragma omp critical(in_place_gather)
  MPI_Gather(own, UNIT, MPI_INT, received, UNIT, MPI_INT, root, MPI_COMM_WORLD);
#pragma omp critical(in_place_gatherv)
  MPI_Gatherv(own, UNIT, MPI_INT, received, counts, offsets, MPI_INT, root, MPI_COMM_WORLD);
#pragma omp critical(in_place_scatter)
  MPI_Scatter(received, UNIT, MPI_INT, own, UNIT, MPI_INT, root, MPI_COMM_WORLD);
#pragma omp critical(in_place_allgather)
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, received, UNIT, MPI_INT, MPI_COMM_WORLD);
#pragma omp critical(in_place_allreduce)
  MPI_Allreduce(MPI_IN_PLACE, received, UNIT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#pragma omp critical(in_place_allgatherv)
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, received, counts, offsets, MPI_INT,
                 MPI_COMM_WORLD);
#pragma omp critical(in_place_reduce)
  MPI_Reduce(own, received, UNIT, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
#pragma omp critical(in_place_reduce_scatter)
  MPI_Reduce_scatter(MPI_IN_PLACE, received, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#pragma omp critical(in_place_scan)
  MPI_Scan(MPI_IN_PLACE, received, UNIT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#pragma omp critical(in_place_alltoall)
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, received, UNIT, MPI_INT, MPI_COMM_WORLD);
#pragma omp critical(in_place_alltoallv)
  MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, received, counts, offsets, MPI_INT,
                MPI_COMM_WORLD);
#pragma omp critical(in_place_alltoallw)
  MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, received, counts, bytes, types, MPI_COMM_WORLD);
#pragma omp critical(in_place_exscan)
  MPI_Exscan(MPI_IN_PLACE, received, UNIT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#pragma omp critical(in_place_reduce_scatter_block)
  MPI_Reduce_scatter_block(MPI_IN_PLACE, received, UNIT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

/* The first process on one side, the others on the other. */
static void between_groups(void) {
  MPI_Comm side, inter;
  int root = rank ? 0 : MPI_ROOT;
  MPI_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &side);
  MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, rank ? 0 : 1, 7, &inter);
#pragma omp critical(inter_bcast)
  MPI_Bcast(sent, UNIT, MPI_INT, root, inter);
#pragma omp critical(inter_gather)
  MPI_Gather(sent, UNIT, MPI_INT, received, UNIT, MPI_INT, root, inter);
#pragma omp critical(inter_reduce)
  MPI_Reduce(sent, received, UNIT, MPI_INT, MPI_SUM, root, inter);
#pragma omp critical(inter_allgather)
  MPI_Allgather(sent, UNIT, MPI_INT, received, UNIT, MPI_INT, inter);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&side);
}

static void apart(void) {
  MPI_Request pair[2], many[MANY], one;
  int done = 0, index, count, indices[MANY], box[MANY];
#pragma omp critical(begun)
  {
    MPI_Irecv(received, ROOM, MPI_INT, left, 0, MPI_COMM_WORLD, &pair[0]);
    MPI_Isend(sent, UNIT, MPI_INT, right, 0, MPI_COMM_WORLD, &pair[1]);
  }
#pragma omp critical(waitall)
  MPI_Waitall(2, pair, MPI_STATUSES_IGNORE);
  for (int i = 0; i < MANY / 2; i++) {
    MPI_Irecv(&box[i], 1, MPI_INT, left, i, MPI_COMM_WORLD, &many[2 * i]);
    MPI_Isend(sent, 1, MPI_INT, right, i, MPI_COMM_WORLD, &many[2 * i + 1]);
  }
#pragma omp critical(each_way)
  {
    MPI_Waitany(MANY, many, &index, MPI_STATUS_IGNORE);
    MPI_Waitsome(MANY, many, &count, indices, MPI_STATUSES_IGNORE);
    MPI_Testany(MANY, many, &index, &done, MPI_STATUS_IGNORE);
    MPI_Testsome(MANY, many, &count, indices, MPI_STATUSES_IGNORE);
    for (int i = 0; i < MANY; i++)
      MPI_Test(&many[i], &done, MPI_STATUS_IGNORE);
    for (done = 0; !done;)
      MPI_Testall(MANY, many, &done, MPI_STATUSES_IGNORE);
  }
  MPI_Ibcast(sent, UNIT, MPI_INT, 0, MPI_COMM_WORLD, &one);
#pragma omp critical(ibcast)
  MPI_Wait(&one, MPI_STATUS_IGNORE);
  MPI_Isend(sent, UNIT, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &one);
#pragma omp critical(to_none)
  {
    MPI_Wait(&one, MPI_STATUS_IGNORE);
    MPI_Recv(received, UNIT, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void again_and_again(void) {
  MPI_Request pair[2];
  MPI_Recv_init(received, ROOM, MPI_INT, left, 0, MPI_COMM_WORLD, &pair[0]);
  MPI_Send_init(sent, UNIT, MPI_INT, right, 0, MPI_COMM_WORLD, &pair[1]);
#pragma omp critical(persistent)
  for (int i = 0; i < 5; i++) {
    MPI_Startall(2, pair);
    MPI_Waitall(2, pair, MPI_STATUSES_IGNORE);
    MPI_Waitall(2, pair, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&pair[0]);
  MPI_Request_free(&pair[1]);
}

/* A receive without a matching send is canceled: it received nothing. */
static void cancelled(void) {
  MPI_Request request;
#pragma omp critical(cancelled)
  {
    MPI_Irecv(received, ROOM, MPI_INT, left, 99, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

static void one_sided(void) {
  static int memory[ROOM];
  MPI_Request request;
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock_all(0, win);
#pragma omp critical(put)
  MPI_Put(sent, UNIT, MPI_INT, right, 0, UNIT, MPI_INT, win);
#pragma omp critical(get)
  MPI_Get(received, UNIT, MPI_INT, right, 8, UNIT, MPI_INT, win);
#pragma omp critical(accumulate)
  MPI_Accumulate(sent, UNIT, MPI_INT, right, 16, UNIT, MPI_INT, MPI_SUM, win);
#pragma omp critical(get_accumulate)
  MPI_Get_accumulate(sent, UNIT, MPI_INT, received + 8, UNIT, MPI_INT, right, 24, UNIT, MPI_INT,
                     MPI_SUM, win);
#pragma omp critical(fetch_and_op)
  MPI_Fetch_and_op(sent, received + 16, MPI_INT, right, 32, MPI_SUM, win);
#pragma omp critical(compare_and_swap)
  MPI_Compare_and_swap(sent, sent + 1, received + 24, MPI_INT, right, 40, win);
  MPI_Rput(sent, UNIT, MPI_INT, right, 48, UNIT, MPI_INT, win, &request);
#pragma omp critical(rput)
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
}

/* In a row that is no ring: those at its ends have one neighbour. */
static void neighbours(void) {
  int open = 0, counts[2] = {UNIT, 2 * UNIT}, offsets[2] = {0, 16};
  MPI_Comm row;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &open, 0, &row);
#pragma omp critical(neighbor_allgather)
  MPI_Neighbor_allgather(sent, UNIT, MPI_INT, received, UNIT, MPI_INT, row);
#pragma omp critical(neighbor_alltoall)
  MPI_Neighbor_alltoall(sent, UNIT, MPI_INT, received, UNIT, MPI_INT, row);
#pragma omp critical(neighbor_alltoallv)
  {
    int swapped[2] = {2 * UNIT, UNIT};
    MPI_Neighbor_alltoallv(sent, counts, offsets, MPI_INT, received, swapped, offsets, MPI_INT,
                           row);
  }
  MPI_Comm_free(&row);
}

static void files(const char *name) {
  MPI_File file;
  MPI_Request request;
  MPI_Offset mine = rank * (MPI_Offset)sizeof sent;
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
#pragma omp critical(write_at)
  MPI_File_write_at(file, mine, sent, UNIT, MPI_INT, MPI_STATUS_IGNORE);
#pragma omp critical(write_at_all)
  MPI_File_write_at_all(file, mine, sent, UNIT, MPI_INT, MPI_STATUS_IGNORE);
#pragma omp critical(read_at)
  MPI_File_read_at(file, mine, received, UNIT, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_iwrite_at(file, mine, sent, UNIT, MPI_INT, &request);
#pragma omp critical(iwrite_at)
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  right = (rank + 1) % size;
  left = (rank + size - 1) % size;
  in_place();
  between_groups();
  apart();
  again_and_again();
  cancelled();
  one_sided();
  neighbours();
  files(argv[1]);
  MPI_Finalize();
  return 0;
}
