/* Ends of parallel regions: a late thread, tasks in the barrier, and a cancellation there. */
#include <omp.h>
#include <stdatomic.h>
#include <unistd.h>

enum { LATE = 5000, TASKS = 8 };

static void comes_last(int who, int threads) {
#pragma omp parallel num_threads(threads)
  if (omp_get_thread_num() == who)
    usleep(LATE);
}

static void combined(void) {
#pragma omp parallel for num_threads(3) schedule(static, 1)
  for (int i = 0; i < 3; i++)
    usleep(LATE / 3 * i);
}

static void tasks(int maker) {
#pragma omp parallel num_threads(3)
  if (omp_get_thread_num() == maker)
    for (int i = 0; i < TASKS; i++) {
#pragma omp task
      usleep(LATE / 5);
    }
}

static void cancelled(int by) {
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

int main(void) {
  for (int i = 0; i < 2; i++) {
    comes_last(i, 3);
    combined();
    tasks(i);
    cancelled(i);
  }
  return 0;
}
