/* A worker waits at its region's end while another of its level and number begins in a team beside
 * it: they are two threads.  Killed meanwhile where there is an argument. */
#include <omp.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

enum { LATE = 50000 };

static atomic_int arrives, ends;

static void first(void) {
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    while (!ends)
      usleep(100);
  } else {
    arrives = 1;
  }
}

static void second(int is_killed) {
  while (!arrives)
    usleep(100);
  usleep(LATE);
#pragma omp parallel num_threads(2)
  usleep(LATE);
  if (is_killed)
    raise(SIGKILL);
  ends = 1;
}

int main(int argc, char **argv) {
  (void)argv;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0)
    first();
  else
    second(argc > 1);
  return 0;
}
