/* Prints the nanoseconds of target constructs and of a parallel region of one thread: the 10th
 * percentile of short repetitions, as other programs disturb most of them on shared processors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEAT = 201, INNER = 20, LARGE = 1 << 20 };
static char small[8], large[LARGE];
static volatile int sink;

static void empty(void) {
  for (int j = 0; j < INNER; j++) {
#pragma omp target
    ;
  }
}

static void data(void) {
  for (int j = 0; j < INNER; j++) {
#pragma omp target data map(alloc : small)
    sink = j;
  }
}

static void to_small(void) {
  for (int j = 0; j < INNER; j++) {
#pragma omp target update to(small)
  }
}

static void to_large(void) {
  for (int j = 0; j < INNER; j++) {
#pragma omp target update to(large)
  }
}

/* A team of one: the times of others depend on other programs. */
static void parallel(void) {
  for (int j = 0; j < INNER; j++) {
#pragma omp parallel num_threads(1)
    sink = j;
  }
}

static int ascending(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void measure(const char *name, void (*run)(void)) {
  static double times[REPEAT];
  for (int i = 0; i < REPEAT; i++) {
    double from = now();
    run();
    times[i] = (now() - from) / INNER;
  }
  qsort(times, REPEAT, sizeof *times, ascending);
  printf("%s %.1f\n", name, times[REPEAT / 10]);
}

int main(void) {
  memset(large, 1, sizeof large);
  measure("empty", empty);
  measure("data", data);
#pragma omp target enter data map(to : small, large)
  measure("small", to_small);
  measure("1MiB", to_large);
#pragma omp target exit data map(delete : small, large)
  measure("parallel", parallel);
  return 0;
}
