/* Two processes that lose time in a known way, or do not.  The first argument names the case; with
 * a second one the program is repaired.  The last line says how long it took, from MPI_Init's end
 * to MPI_Finalize's.  Work is sleep, so that other programs on the machine do not show. */
#include <mpi.h>
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static int rank, value, result, repaired;
static const MPI_Comm world = MPI_COMM_WORLD;
static MPI_Win window;

static void work(int milliseconds) {
  struct timespec rest = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  while (nanosleep(&rest, &rest))
    ;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Rank 1 has all of what both could share. */
static int uneven(void) { return repaired ? 60 : rank * 120; }

static void send(void) { MPI_Send(&value, 1, MPI_INT, 1, 0, world); }

static void receive(void) { MPI_Recv(&value, 1, MPI_INT, 0, 0, world, MPI_STATUS_IGNORE); }

static void late_sender(void) {
  if (rank == 1)
    receive();
  if (rank == 0 && repaired)
    send();
  work(200);
  if (rank == 0 && !repaired)
    send();
}

/* The same among three steps, of which each begins together. */
static void late_senders(void) {
  for (int step = 0; step < 3; step++) {
    late_sender();
    MPI_Barrier(world);
  }
}

/* Neighbours exchange messages and never meet all at once. */
static void halo(void) {
  for (int step = 0; step < 3; step++) {
    work(uneven());
    MPI_Sendrecv(&value, 1, MPI_INT, 1 - rank, 0, &result, 1, MPI_INT, 1 - rank, 0, world,
                 MPI_STATUS_IGNORE);
  }
}

static void late_receiver(void) {
  MPI_Request request = MPI_REQUEST_NULL;
  if (rank == 0 && repaired)
    MPI_Issend(&value, 1, MPI_INT, 1, 0, world, &request);
  else if (rank == 0)
    MPI_Ssend(&value, 1, MPI_INT, 1, 0, world);
  work(200);
  if (rank == 1)
    receive();
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Each has more in turn. */
static int alternating(int step) { return repaired ? 60 : step % 2 == rank ? 100 : 20; }

static void barrier(void) {
  for (int step = 0; step < 3; step++) {
    work(uneven());
    MPI_Barrier(world);
  }
}

static void alternately(void) {
  for (int step = 0; step < 4; step++) {
    work(alternating(step));
    MPI_Barrier(world);
  }
}

static void nxn(void) {
  for (int step = 0; step < 3; step++) {
    work(uneven());
    MPI_Allreduce(&value, &result, 1, MPI_INT, MPI_SUM, world);
  }
}

static void reduce(void) {
  for (int step = 0; step < 3; step++) {
    work(uneven());
    MPI_Reduce(&value, &result, 1, MPI_INT, MPI_SUM, 0, world);
  }
}

static void fence(void) {
  MPI_Win_fence(0, window);
  for (int step = 0; step < 3; step++) {
    work(uneven());
    if (rank == 0)
      MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
  }
}

/* Only rank 1 has the data. */
static void broadcast(void) {
  if (rank == 0 || repaired)
    MPI_Bcast(&value, 1, MPI_INT, 1, world);
  work(200);
  if (rank == 1 && !repaired)
    MPI_Bcast(&value, 1, MPI_INT, 1, world);
}

static void scan(void) {
  if (rank == 1 || repaired)
    MPI_Scan(&value, &result, 1, MPI_INT, MPI_SUM, world);
  work(200);
  if (rank == 0 && !repaired)
    MPI_Scan(&value, &result, 1, MPI_INT, MPI_SUM, world);
}

static MPI_Group other(void) {
  int number = 1 - rank;
  MPI_Group all, one;
  MPI_Comm_group(world, &all);
  MPI_Group_incl(all, 1, &number, &one);
  MPI_Group_free(&all);
  return one;
}

static void late_post(void) {
  MPI_Group group = other();
  if (rank == 0) {
    if (repaired)
      MPI_Win_post(group, 0, window);
    work(200);
    if (!repaired)
      MPI_Win_post(group, 0, window);
    MPI_Win_wait(window);
  } else {
    MPI_Win_start(group, 0, window);
    MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_complete(window);
    work(200);
  }
  MPI_Group_free(&group);
}

static void early_wait(void) {
  MPI_Group group = other();
  if (rank == 0) {
    MPI_Win_post(group, 0, window);
    MPI_Win_wait(window);
    work(200);
  } else {
    MPI_Win_start(group, 0, window);
    MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    if (repaired)
      MPI_Win_complete(window);
    work(200);
    if (!repaired)
      MPI_Win_complete(window);
  }
  MPI_Group_free(&group);
}

/* Rank 1 has it for longer than it needs. */
static void window_lock(void) {
  if (rank == 0)
    work(20);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
  MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
  MPI_Win_flush(0, window);
  if (rank == 1 && !repaired)
    work(200);
  MPI_Win_unlock(0, window);
  if (rank == 0 || repaired)
    work(200);
}

/* In each process a team, whose thread 1 has more to do in rank 1. */
static void threads(void) {
  for (int step = 0; step < 3; step++) {
#pragma omp parallel num_threads(2)
    work(rank == 0 ? 40 : repaired || omp_get_thread_num() == 0 ? 20 : 100);
    MPI_Allreduce(&value, &result, 1, MPI_INT, MPI_SUM, world);
  }
}

static const struct {
  const char *name;
  void (*run)(void);
} cases[] = {
    {"late_sender", late_sender},
    {"late_senders", late_senders},
    {"halo", halo},
    {"late_receiver", late_receiver},
    {"barrier", barrier},
    {"alternately", alternately},
    {"nxn", nxn},
    {"reduce", reduce},
    {"fence", fence},
    {"broadcast", broadcast},
    {"scan", scan},
    {"late_post", late_post},
    {"early_wait", early_wait},
    {"window_lock", window_lock},
    {"threads", threads},
};

int main(int argc, char **argv) {
  int given, *memory;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &given);
  double begin = now();
  MPI_Comm_rank(world, &rank);
  repaired = argc > 2;
  bool has_window = !strcmp(argv[1], "fence") || strstr(argv[1], "_post") ||
                    strstr(argv[1], "_wait") || strstr(argv[1], "_lock");
  if (has_window)
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, world, &memory, &window);
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
    if (!strcmp(cases[i].name, argv[1]))
      cases[i].run();
  if (has_window)
    MPI_Win_free(&window);
  MPI_Finalize();
  printf("%.6f\n", now() - begin);
  return 0;
}
