// Inefficiencies of a known size, each in a region of its own, for two processes. Each output line
// is `place|property|rank|seconds`, as measured by the processes' common clock.
#include <mpi.h>
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { EARLY, LATE, EVENTS };

static const double NAP = 0.2;
static int rank;
static double moment[EVENTS];

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void nap(double seconds) {
  struct timespec left = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  while (nanosleep(&left, &left))
    ;
}

// Bring the processes together by a barrier that is not measured.
static void together(void) { PMPI_Barrier(MPI_COMM_WORLD); }

// From one's moment to the other's.
static void said(const char *place, const char *property, int waits, double first, double last) {
  double both[2] = {first, last}, all[4];
  PMPI_Allgather(both, 2, MPI_DOUBLE, all, 2, MPI_DOUBLE, MPI_COMM_WORLD);
  if (!rank)
    printf("%s|%s|%d|%.9f\n", place, property, waits, all[2 * !waits + 1] - all[2 * waits]);
  fflush(stdout);
}

static void took(const char *place, const char *property, double seconds) {
  double all[2];
  PMPI_Allgather(&seconds, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int r = 0; !rank && r < 2; r++)
    printf("%s|%s|%d|%.9f\n", place, property, r, all[r]);
  fflush(stdout);
}

// Rank `waits` arrives at once, the other rank a nap later; each notes its time.
static void come(int waits) {
  together();
  if (rank != waits)
    nap(NAP);
  moment[EARLY] = moment[LATE] = now();
}

static int value, other, tagged[2];

static void send(int to, int tag) { MPI_Send(&value, 1, MPI_INT, to, tag, MPI_COMM_WORLD); }

static void receive(int from, int tag) {
  MPI_Recv(&other, 1, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void messages(void) {
#pragma pomp inst begin(late_sender)
  come(1);
  if (rank)
    receive(MPI_ANY_SOURCE, MPI_ANY_TAG);
  else
    send(1, 0);
#pragma pomp inst end(late_sender)
  said("late_sender", "Late Sender", 1, moment[EARLY], moment[LATE]);

#pragma pomp inst begin(late_receiver)
  come(0);
  if (rank)
    receive(0, 0);
  else
    MPI_Ssend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
#pragma pomp inst end(late_receiver)
  said("late_receiver", "Late Receiver", 0, moment[EARLY], moment[LATE]);

#pragma pomp inst begin(sender_order)
  together();
  if (!rank)
    send(1, 1);
  come(1);
  if (rank) {
    receive(0, 2);
    receive(0, 1);
  } else {
    send(1, 2);
  }
#pragma pomp inst end(sender_order)
  said("sender_order", "Late Sender", 1, moment[EARLY], moment[LATE]);
  said("sender_order", "Late Sender>Messages in Wrong Order", 1, moment[EARLY], moment[LATE]);

#pragma pomp inst begin(receiver_order)
  MPI_Request request = MPI_REQUEST_NULL;
  together();
  if (!rank)
    MPI_Issend(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
  come(0);
  if (rank) {
    receive(0, 2);
    receive(0, 1);
  } else {
    MPI_Ssend(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
#pragma pomp inst end(receiver_order)
  said("receiver_order", "Late Receiver", 0, moment[EARLY], moment[LATE]);
  said("receiver_order", "Late Receiver>Messages in Wrong Order", 0, moment[EARLY], moment[LATE]);

#pragma pomp inst begin(all_at_once)
  MPI_Request requests[2];
  for (int tag = 0; tag < 2 && rank; tag++)
    MPI_Irecv(&tagged[tag], 1, MPI_INT, 0, tag, MPI_COMM_WORLD, &requests[tag]);
  come(1);
  if (rank) {
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  } else {
    send(1, 0);
    nap(NAP / 2);
    moment[LATE] = now();
    send(1, 1);
  }
#pragma pomp inst end(all_at_once)
  said("all_at_once", "Late Sender", 1, moment[EARLY], moment[LATE]);

  // The threads of both processes, each with another one: the second one's sends later still.
  double begun[2] = {0}, sent[2] = {0};
#pragma pomp inst begin(threads)
  together();
#pragma omp parallel num_threads(2)
  {
    int own = omp_get_thread_num(), got;
    if (!rank)
      nap(NAP * (own + 1) / 2);
    begun[own] = sent[own] = now();
    if (rank)
      MPI_Recv(&got, 1, MPI_INT, 0, own, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
      MPI_Send(&value, 1, MPI_INT, 1, own, MPI_COMM_WORLD);
  }
#pragma pomp inst end(threads)
  said("threads", "Late Sender", 1, begun[0] + begun[1], sent[0] + sent[1]);
}

static void collectives(void) {
  int one = rank, all;
#pragma pomp inst begin(nxn)
  come(0);
  MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#pragma pomp inst end(nxn)
  said("nxn", "Wait at NxN", 0, moment[EARLY], moment[LATE]);

#pragma pomp inst begin(begun_nxn)
  MPI_Request request;
  come(0);
  MPI_Iallreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
#pragma pomp inst end(begun_nxn)
  said("begun_nxn", "Wait at NxN", 0, moment[EARLY], moment[LATE]);

#pragma pomp inst begin(barrier)
  come(1);
  MPI_Barrier(MPI_COMM_WORLD);
#pragma pomp inst end(barrier)
  said("barrier", "Barrier>Wait at Barrier", 1, moment[EARLY], moment[LATE]);

#pragma pomp inst begin(broadcast)
  come(1);
  MPI_Bcast(&one, 1, MPI_INT, 0, MPI_COMM_WORLD);
#pragma pomp inst end(broadcast)
  said("broadcast", "Late Broadcast", 1, moment[EARLY], moment[LATE]);

#pragma pomp inst begin(reduce)
  come(1);
  MPI_Reduce(&one, &all, 1, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
#pragma pomp inst end(reduce)
  said("reduce", "Early Reduce", 1, moment[EARLY], moment[LATE]);

#pragma pomp inst begin(scan)
  come(1);
  MPI_Scan(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#pragma pomp inst end(scan)
  said("scan", "Early Scan", 1, moment[EARLY], moment[LATE]);
}

static void is_held(int signal) {
  (void)signal;
  nap(2 * NAP);
}

// Rank 1 has come and given what it has, and is held up while the other one comes and leaves.
static void held(const char *place, const char *waits, const char *property, int is_barrier) {
  const struct itimerval soon = {.it_value = {.tv_usec = 50000}};
  int one = rank, all;
  signal(SIGALRM, is_held);
  come(1);
  if (rank)
    setitimer(ITIMER_REAL, &soon, NULL);
  if (is_barrier)
    MPI_Barrier(MPI_COMM_WORLD);
  else
    MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  moment[LATE] = now();
  double left[2];
  PMPI_Allgather(&moment[LATE], 1, MPI_DOUBLE, left, 1, MPI_DOUBLE, MPI_COMM_WORLD);
  took(place, property, rank ? left[1] - left[0] : 0);
  said(place, waits, 1, moment[EARLY], moment[EARLY]);
}

static void completions(void) {
#pragma pomp inst begin(nxn_completion)
  held("nxn_completion", "Wait at NxN", "NxN Completion", 0);
#pragma pomp inst end(nxn_completion)
#pragma pomp inst begin(barrier_completion)
  held("barrier_completion", "Barrier>Wait at Barrier", "Barrier Completion", 1);
#pragma pomp inst end(barrier_completion)
}

enum { OF_ALL = -1 };

// The window is on rank 0, which has it locked itself.
static void locked(MPI_Win window, int mine, int theirs) {
  int one = 1;
  if (!rank) {
    MPI_Win_lock(mine, 0, 0, window);
    MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_flush(0, window);
  }
  come(1);
  if (!rank) {
    MPI_Win_unlock(0, window);
    moment[LATE] = now();
  } else if (theirs == OF_ALL) {
    MPI_Win_lock_all(0, window);
    MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_flush_all(window);
    MPI_Win_unlock_all(window);
  } else {
    MPI_Win_lock(theirs, 0, 0, window);
    MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_flush(0, window);
    MPI_Win_unlock(0, window);
  }
}

static void windows(void) {
  int *memory, one = 1;
  MPI_Win window;
  MPI_Group world, partner;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, (int[]){!rank}, &partner);
#pragma pomp inst begin(make_window)
  come(1);
  double before = now();
  MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  before = now() - before;
#pragma pomp inst end(make_window)
  took("make_window", "Window Management", before);

#pragma pomp inst begin(fence)
  come(1);
  MPI_Win_fence(0, window);
#pragma pomp inst end(fence)
  said("fence", "Wait at Fence", 1, moment[EARLY], moment[LATE]);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);

#pragma pomp inst begin(post)
  come(0);
  if (rank) {
    MPI_Win_post(partner, 0, window);
    MPI_Win_wait(window);
  } else {
    MPI_Win_start(partner, 0, window);
    MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
    MPI_Win_complete(window);
  }
#pragma pomp inst end(post)
  said("post", "Late Post", 0, moment[EARLY], moment[LATE]);

#pragma pomp inst begin(complete)
  together();
  if (rank) {
    MPI_Win_start(partner, 0, window);
    MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    nap(NAP);
    moment[LATE] = now();
    MPI_Win_complete(window);
  } else {
    MPI_Win_post(partner, 0, window);
    moment[EARLY] = now();
    MPI_Win_wait(window);
  }
#pragma pomp inst end(complete)
  said("complete", "Early Wait", 0, moment[EARLY], moment[LATE]);

#pragma pomp inst begin(lock)
  locked(window, MPI_LOCK_EXCLUSIVE, MPI_LOCK_EXCLUSIVE);
#pragma pomp inst end(lock)
  said("lock", "Wait for Lock", 1, moment[EARLY], moment[LATE]);

#pragma pomp inst begin(lock_for_all)
  locked(window, MPI_LOCK_EXCLUSIVE, OF_ALL);
#pragma pomp inst end(lock_for_all)
  said("lock_for_all", "Wait for Lock", 1, moment[EARLY], moment[LATE]);

#pragma pomp inst begin(lock_behind_shared)
  locked(window, MPI_LOCK_SHARED, MPI_LOCK_EXCLUSIVE);
#pragma pomp inst end(lock_behind_shared)
  said("lock_behind_shared", "Wait for Lock", 1, moment[EARLY], moment[LATE]);

#pragma pomp inst begin(shared)
  locked(window, MPI_LOCK_SHARED, MPI_LOCK_SHARED);
#pragma pomp inst end(shared)
  took("shared", "Wait for Lock", 0);
  MPI_Group_free(&partner);
  MPI_Group_free(&world);
  MPI_Win_free(&window);
}

static void files(const char *name) {
  static char bytes[1 << 20];
  MPI_File file;
#pragma pomp inst begin(collective)
  come(0);
  double before = now();
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  before = now() - before;
#pragma pomp inst end(collective)
  took("collective", "File I/O>Collective", before);
#pragma pomp inst begin(individual)
  together();
  before = now();
  while (now() - before < NAP)
    MPI_File_write_at(file, rank * (MPI_Offset)sizeof bytes, bytes, sizeof bytes, MPI_BYTE,
                      MPI_STATUS_IGNORE);
  before = now() - before;
#pragma pomp inst end(individual)
  took("individual", "File I/O>Individual", before);
  MPI_File_close(&file);
}

int main(int argc, char **argv) {
  int level;
  double before = now();
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  before = now() - before;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  took("", "Init/Exit", before);
  // From here on there are two threads.
#pragma omp parallel num_threads(2)
  value = omp_get_num_threads();

  MPI_Comm copy;
#pragma pomp inst begin(communicator)
  come(0);
  before = now();
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  before = now() - before;
#pragma pomp inst end(communicator)
  took("communicator", "Communicator Management", before);
  MPI_Comm_free(&copy);

  messages();
  collectives();
  completions();
  windows();
  files(argv[1]);
  MPI_Finalize();
  return 0;
}
