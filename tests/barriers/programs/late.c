/* Three threads arrive at a region's end 0, 0.1 and 0.2 s after its begin.  With the argument
 * "killed", the last one first takes a snapshot, records another event, and kills the process.
 * "with snapshot", the initial thread does so 0.1 s after the region, "afterwards" without a
 * snapshot. "smaller" makes teams of two then, and of three in the end. */
#include <omp.h>
#include <signal.h>
#include <string.h>
#include <time.h>

static void end(void);

int main(int count, char **words) {
  const char *how = count > 1 ? words[1] : "";
#pragma omp parallel num_threads(3)
  {
    int late = (omp_get_thread_num() + 2) % 3;
    nanosleep(&(struct timespec){0, late * 100000000L}, 0);
    if (late == 2 && !strcmp(how, "killed"))
      end();
  }
  if (!strcmp(how, "afterwards") || !strcmp(how, "with snapshot")) {
    nanosleep(&(struct timespec){0, 100000000L}, 0);
    if (!strcmp(how, "with snapshot"))
      end();
#pragma omp flush
    raise(SIGKILL);
  }
  for (int turn = 0; turn < 11 && !strcmp(how, "smaller"); turn++) {
#pragma omp parallel num_threads(turn < 10 ? 2 : 3)
    nanosleep(&(struct timespec){0, 10000000L}, 0);
  }
  return 0;
}

static void end(void) {
#pragma pomp inst snapshot
#pragma omp flush
  raise(SIGKILL);
}
