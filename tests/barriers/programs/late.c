/* Three threads arrive at a region's end 0, 0.1 and 0.2 s after its begin. With an argument, the
 * last one first takes a snapshot, records another event, and kills the process. */
#include <omp.h>
#include <signal.h>
#include <time.h>

int main(int count, char **words) {
  (void)words;
#pragma omp parallel num_threads(3)
  {
    int late = (omp_get_thread_num() + 2) % 3;
    nanosleep(&(struct timespec){0, late * 100000000L}, 0);
    if (count > 1 && late == 2) {
#pragma pomp inst snapshot
#pragma omp flush
      raise(SIGKILL);
    }
  }
  return 0;
}
