/* Bytes read and written by each of MPI's ways to access files: explicit offsets, individual and
 * shared pointers, independent, collective, blocking, nonblocking and split. */
#include <mpi.h>
#include <stddef.h>

enum { UNIT = 3, ROOM = 64 };

static int rank;
static int sent[ROOM], received[ROOM];
static MPI_File file;

/* The offset of this process's part of the file. */
static MPI_Offset mine(void) { return rank * (MPI_Offset)sizeof sent; }

static void back(void) { MPI_File_seek(file, mine(), MPI_SEEK_SET); }

static void back_together(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void wait(MPI_Request *request) { MPI_Wait(request, MPI_STATUS_IGNORE); }

static void at_once(void) {
  MPI_Offset at = mine();
#pragma omp critical(write_at)
  MPI_File_write_at(file, at, sent, UNIT, MPI_INT, MPI_STATUS_IGNORE);
#pragma omp critical(read_at)
  MPI_File_read_at(file, at, received, UNIT, MPI_INT, MPI_STATUS_IGNORE);
#pragma omp critical(write_at_all)
  MPI_File_write_at_all(file, at, sent, UNIT, MPI_INT, MPI_STATUS_IGNORE);
#pragma omp critical(read_at_all)
  MPI_File_read_at_all(file, at, received, UNIT, MPI_INT, MPI_STATUS_IGNORE);
  back();
#pragma omp critical(write)
  MPI_File_write(file, sent, UNIT, MPI_INT, MPI_STATUS_IGNORE);
  back();
#pragma omp critical(read)
  MPI_File_read(file, received, UNIT, MPI_INT, MPI_STATUS_IGNORE);
  back();
#pragma omp critical(write_all)
  MPI_File_write_all(file, sent, UNIT, MPI_INT, MPI_STATUS_IGNORE);
  back();
#pragma omp critical(read_all)
  MPI_File_read_all(file, received, UNIT, MPI_INT, MPI_STATUS_IGNORE);
}

static void shared(void) {
  int own = UNIT * (rank + 1);
  back_together();
#pragma omp critical(write_shared)
  MPI_File_write_shared(file, sent, UNIT, MPI_INT, MPI_STATUS_IGNORE);
  back_together();
#pragma omp critical(read_shared)
  MPI_File_read_shared(file, received, UNIT, MPI_INT, MPI_STATUS_IGNORE);
  back_together();
#pragma omp critical(write_ordered)
  MPI_File_write_ordered(file, sent, own, MPI_INT, MPI_STATUS_IGNORE);
  back_together();
#pragma omp critical(read_ordered)
  MPI_File_read_ordered(file, received, own, MPI_INT, MPI_STATUS_IGNORE);
}

static void begun(void) {
  MPI_Request request;
  MPI_Offset at = mine();
#pragma omp critical(iwrite_at)
  {
    MPI_File_iwrite_at(file, at, sent, UNIT, MPI_INT, &request);
    wait(&request);
  }
#pragma omp critical(iread_at)
  {
    MPI_File_iread_at(file, at, received, UNIT, MPI_INT, &request);
    wait(&request);
  }
#pragma omp critical(iwrite_at_all)
  {
    MPI_File_iwrite_at_all(file, at, sent, UNIT, MPI_INT, &request);
    wait(&request);
  }
#pragma omp critical(iread_at_all)
  {
    MPI_File_iread_at_all(file, at, received, UNIT, MPI_INT, &request);
    wait(&request);
  }
  back();
#pragma omp critical(iwrite)
  {
    MPI_File_iwrite(file, sent, UNIT, MPI_INT, &request);
    wait(&request);
  }
  back();
#pragma omp critical(iread)
  {
    MPI_File_iread(file, received, UNIT, MPI_INT, &request);
    wait(&request);
  }
  back();
#pragma omp critical(iwrite_all)
  {
    MPI_File_iwrite_all(file, sent, UNIT, MPI_INT, &request);
    wait(&request);
  }
  back();
#pragma omp critical(iread_all)
  {
    MPI_File_iread_all(file, received, UNIT, MPI_INT, &request);
    wait(&request);
  }
  back_together();
#pragma omp critical(iwrite_shared)
  {
    MPI_File_iwrite_shared(file, sent, UNIT, MPI_INT, &request);
    wait(&request);
  }
  back_together();
#pragma omp critical(iread_shared)
  {
    MPI_File_iread_shared(file, received, UNIT, MPI_INT, &request);
    wait(&request);
  }
}

static void in_halves(void) {
  MPI_Offset at = mine();
  int own = UNIT * (rank + 1);
#pragma omp critical(write_at_all_begin)
  MPI_File_write_at_all_begin(file, at, sent, UNIT, MPI_INT);
#pragma omp critical(write_at_all_end)
  MPI_File_write_at_all_end(file, sent, MPI_STATUS_IGNORE);
#pragma omp critical(read_at_all_begin)
  MPI_File_read_at_all_begin(file, at, received, UNIT, MPI_INT);
#pragma omp critical(read_at_all_end)
  MPI_File_read_at_all_end(file, received, MPI_STATUS_IGNORE);
  back();
#pragma omp critical(write_all_begin)
  MPI_File_write_all_begin(file, sent, UNIT, MPI_INT);
#pragma omp critical(write_all_end)
  MPI_File_write_all_end(file, sent, MPI_STATUS_IGNORE);
  back();
#pragma omp critical(read_all_begin)
  MPI_File_read_all_begin(file, received, UNIT, MPI_INT);
#pragma omp critical(read_all_end)
  MPI_File_read_all_end(file, received, MPI_STATUS_IGNORE);
  back_together();
#pragma omp critical(write_ordered_begin)
  MPI_File_write_ordered_begin(file, sent, own, MPI_INT);
#pragma omp critical(write_ordered_end)
  MPI_File_write_ordered_end(file, sent, MPI_STATUS_IGNORE);
  back_together();
#pragma omp critical(read_ordered_begin)
  MPI_File_read_ordered_begin(file, received, own, MPI_INT);
#pragma omp critical(read_ordered_end)
  MPI_File_read_ordered_end(file, received, MPI_STATUS_IGNORE);
}

/* A read of more than the file holds returns the bytes that the file has. */
static void beyond_the_end(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_set_size(file, UNIT * (MPI_Offset)sizeof(int));
  MPI_Barrier(MPI_COMM_WORLD);
#pragma omp critical(part_of_it)
  MPI_File_read_at(file, 0, received, ROOM, MPI_INT, MPI_STATUS_IGNORE);
#pragma omp critical(none_of_it)
  MPI_File_read_at(file, UNIT * (MPI_Offset)sizeof(int), received, ROOM, MPI_INT,
                   MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  at_once();
  shared();
  begun();
  in_halves();
  beyond_the_end();
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
