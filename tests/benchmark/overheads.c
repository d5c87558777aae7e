/* Prints the microseconds that each OpenMP construct costs a team: a delay inside the construct,
 * less the same delay without it. It takes the 10th percentile of many short repetitions, as other
 * programs disturb most of them on shared processors.  The method comes from the EPCC
 * microbenchmarks (Bull, 1999), the code does not. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPEAT = 401, INNER = 20 };
static volatile int sink;

__attribute__((noinline)) static void delay(void) {
  for (int i = 0; i < 100; i++)
    sink = i;
}

static void reference(void) {
  for (int j = 0; j < INNER; j++)
    delay();
}

static void parallel(void) {
  for (int j = 0; j < INNER; j++) {
#pragma omp parallel
    delay();
  }
}

static void loop(void) {
#pragma omp parallel
  for (int j = 0; j < INNER; j++) {
#pragma omp for
    for (int i = 0; i < omp_get_num_threads(); i++)
      delay();
  }
}

static void barrier(void) {
#pragma omp parallel
  for (int j = 0; j < INNER; j++) {
    delay();
#pragma omp barrier
  }
}

static void single(void) {
#pragma omp parallel
  for (int j = 0; j < INNER; j++) {
#pragma omp single
    delay();
  }
}

/* The section is everyone's: a thread has its share of the turns. */
static void critical(void) {
#pragma omp parallel
  for (int j = 0; j < INNER / omp_get_num_threads(); j++) {
#pragma omp critical
    delay();
  }
}

static void task(void) {
#pragma omp parallel
  for (int j = 0; j < INNER; j++) {
#pragma omp task
    delay();
  }
}

static int ascending(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

static double undisturbed(void (*run)(void)) {
  static double times[REPEAT];
  for (int i = 0; i < REPEAT; i++) {
    double from = omp_get_wtime();
    run();
    times[i] = (omp_get_wtime() - from) * 1e6 / INNER;
  }
  qsort(times, REPEAT, sizeof *times, ascending);
  return times[REPEAT / 10];
}

int main(void) {
  double delayed = undisturbed(reference);
  printf("parallel %.3f\n", undisturbed(parallel) - delayed);
  printf("for %.3f\n", undisturbed(loop) - delayed);
  printf("barrier %.3f\n", undisturbed(barrier) - delayed);
  printf("single %.3f\n", undisturbed(single) - delayed);
  printf("critical %.3f\n", undisturbed(critical) - delayed);
  printf("task %.3f\n", undisturbed(task) - delayed);
  return 0;
}
