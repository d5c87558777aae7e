/* A task cancelled in the barrier at a region's end. The worker or the initial thread runs it,
 * which then waits for the other: `cancelled_task worker|initial TIMES`. */
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LATE = 50000 };

static void be_cancelled(int by) {
  atomic_int runs = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() != by) {
#pragma omp taskgroup
    {
#pragma omp task
      {
        runs = 1;
        usleep(LATE);
#pragma omp cancel taskgroup
      }
      while (!runs)
        usleep(100);
    }
    usleep(LATE);
  }
}

int main(int argc, char **argv) {
  int times = argc > 2 ? atoi(argv[2]) : 1;
  for (int i = 0; i < times; i++)
    be_cancelled(strcmp(argv[1], "worker") == 0);
  return 0;
}
