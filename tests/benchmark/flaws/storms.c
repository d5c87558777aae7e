/* Flaws whose size is a price paid often, for two threads that compute. */
#include "part.h"

enum { TURNS = 400000 };

static volatile unsigned words[2][64];

/* Not inlined: the same work in each form. */
__attribute__((noinline)) static void work(int steps) {
  volatile unsigned *mine = words[omp_get_thread_num() & 1];
  unsigned x = *mine;
  for (int i = 0; i < steps; i++) {
    x = x * 1664525 + 1013904223;
    __asm__ volatile("" : "+r"(x));
  }
  *mine = x;
}

static double barriers(void) {
#pragma omp parallel
  for (int turn = 0; turn < TURNS; turn++) {
    work(500);
#pragma omp barrier /* barriers */
  }
  return 0;
}

static double without_barriers(void) {
#pragma omp parallel
  for (int turn = 0; turn < TURNS; turn++)
    work(500);
  return 0;
}

static double small_loops(void) {
#pragma omp parallel
  for (int turn = 0; turn < TURNS; turn++) {
#pragma omp for schedule(static) /* small-loops */
    for (int i = 0; i < 2; i++)
      work(500);
  }
  return 0;
}

static double small_singles(void) {
#pragma omp parallel
  for (int turn = 0; turn < TURNS; turn++) {
    work(500);
#pragma omp single /* small-singles */
    words[0][1]++;
  }
  return 0;
}

static double small_regions(void) {
  for (int turn = 0; turn < TURNS / 4; turn++) {
#pragma omp parallel /* small-regions */
    work(500);
#pragma omp parallel /* small-regions */
    work(500);
#pragma omp parallel /* small-regions */
    work(500);
#pragma omp parallel /* small-regions */
    work(500);
  }
  return 0;
}

static double atomics(void) {
  long sum = 0;
#pragma omp parallel
  for (int turn = 0; turn < 30 * TURNS; turn++) {
#pragma omp atomic /* atomics */
    sum += turn;
  }
  words[0][1] = (unsigned)sum;
  return 0;
}

static double own_sums(void) {
  long sum = 0;
#pragma omp parallel reduction(+ : sum)
  for (int turn = 0; turn < 30 * TURNS; turn++) {
    sum += turn;
    __asm__ volatile("" : "+r"(sum));
  }
  words[0][1] = (unsigned)sum;
  return 0;
}

static double sum_in_critical(void) {
  double sum = 0;
#pragma omp parallel
  for (int turn = 0; turn < 8 * TURNS; turn++) {
    work(20);
#pragma omp critical /* sum-in-critical */
    sum += turn;
  }
  words[0][1] = (unsigned)sum;
  return 0;
}

static double reduced_sum(void) {
  double sum = 0;
#pragma omp parallel reduction(+ : sum)
  for (int turn = 0; turn < 8 * TURNS; turn++) {
    work(20);
    sum += turn;
  }
  words[0][1] = (unsigned)sum;
  return 0;
}

static double tiny_tasks(void) {
#pragma omp parallel
#pragma omp single
  for (int turn = 0; turn < 8 * TURNS; turn++) {
#pragma omp task /* tiny-tasks */
    work(20);
  }
  return 0;
}

static double larger_tasks(void) {
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1000)
  for (int turn = 0; turn < 8 * TURNS; turn++)
    work(20);
  return 0;
}

static double tiny_chunks(void) {
#pragma omp parallel
#pragma omp for schedule(dynamic, 1) /* tiny-chunks */
  for (int turn = 0; turn < 40 * TURNS; turn++)
    work(1);
  return 0;
}

static double larger_chunks(void) {
#pragma omp parallel
#pragma omp for schedule(dynamic, 1000)
  for (int turn = 0; turn < 40 * TURNS; turn++)
    work(1);
  return 0;
}

/* For more threads than processors. */
static double oversubscribed(void) {
#pragma omp parallel
  for (int turn = 0; turn < TURNS / 400; turn++) {
    work(50000);
#pragma omp barrier
  }
  return 0;
}

static double oversubscribed_by_nesting(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
#pragma omp parallel num_threads(4)
    for (int turn = 0; turn < TURNS / 400; turn++) {
      work(50000);
#pragma omp barrier
    }
  }
  return 0;
}

static const Part parts[] = {
    {"barriers", barriers, without_barriers},
    {"small-loops", small_loops, without_barriers},
    {"small-singles", small_singles, without_barriers},
    {"small-regions", small_regions, without_barriers},
    {"atomics", atomics, own_sums},
    {"sum-in-critical", sum_in_critical, reduced_sum},
    {"tiny-tasks", tiny_tasks, larger_tasks},
    {"tiny-chunks", tiny_chunks, larger_chunks},
    {"oversubscribed", oversubscribed, NULL},
    {"oversubscribed-by-nesting", oversubscribed_by_nesting, NULL},
};

int main(int argc, char **argv) { return run(argc, argv, parts, sizeof parts / sizeof *parts); }
