/* Constructs whose end may not be nowait, or is not come to by every thread: one thread is late,
 * and the others wait. */
#include <omp.h>
#include <stdatomic.h>
#include <unistd.h>

enum { THREADS = 4, LATE = 50000 };

static void be_late(atomic_int *there, int all) {
  while (*there < all)
    usleep(100);
  usleep(LATE);
}

static void cancelled_loop(void) {
  static atomic_int there;
#pragma omp parallel for num_threads(THREADS) schedule(static, 1)
  for (int i = 0; i < THREADS; i++) {
    there++;
    if (i == 0)
      be_late(&there, THREADS);
#pragma omp cancel for
  }
}

static void cancelled_sections(void) {
  static atomic_int there;
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    {
      be_late(&there, 1);
#pragma omp cancel sections
    }
#pragma omp section
    there++;
  }
}

static void reduced_by_tasks(void) {
  static atomic_int there;
  int sum = 0;
#pragma omp parallel for num_threads(THREADS) schedule(static, 1) reduction(task, + : sum)
  for (int i = 0; i < THREADS; i++) {
    there++;
    if (i == 0)
      be_late(&there, THREADS);
#pragma omp task in_reduction(+ : sum)
    sum += i;
  }
  if (sum != THREADS * (THREADS - 1) / 2)
    _exit(1);
}

/* All leave the region by its cancellation. */
static void cancelled_region(int who) {
  static atomic_int there[2];
#pragma omp parallel num_threads(THREADS)
  {
    there[who]++;
    if (omp_get_thread_num() == who)
      be_late(&there[who], THREADS);
#pragma omp cancel parallel
    usleep(10 * LATE);
  }
}

/* Nothing is measured in here. */
#pragma pomp noinstrument
static void unseen(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp for
    for (int i = 0; i < 2; i++)
      ;
  }
}
#pragma pomp instrument

/* A task that runs in the barrier at the end has a region of its own, and goes on. */
static void unseen_in_task(void) {
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
#pragma omp task
    {
      unseen();
      usleep(LATE);
    }
  }
}

/* Workers are there for longer than their regions last. */
static void between(void) { usleep(5 * LATE); }

int main(void) {
  omp_set_max_active_levels(2);
  cancelled_loop();
  cancelled_sections();
  reduced_by_tasks();
  cancelled_region(0);
  between();
  cancelled_region(1);
  between();
  unseen_in_task();
#pragma omp parallel num_threads(THREADS)
  ;
  return 0;
}
