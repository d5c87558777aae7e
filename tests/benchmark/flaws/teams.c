/* Flaws of teams, for a team of four: work of one thread, barriers, locks. */
#include "part.h"

static double uneven_region(void) {
#pragma omp parallel /* uneven-region */
  nap(omp_get_thread_num() == 3 ? 0.8 : 0.2);
  return 3 * 0.6;
}

static double even_region(void) {
#pragma omp parallel
  nap(0.35);
  return 0;
}

static double serial_part(void) {
#pragma omp parallel
  nap(0.2);
  nap(0.6);
#pragma omp parallel
  nap(0.2);
  return 3 * 0.6;
}

static double parallel_part(void) {
#pragma omp parallel
  nap(0.2);
#pragma omp parallel
  nap(0.15);
#pragma omp parallel
  nap(0.2);
  return 0;
}

static double in_single(void) {
#pragma omp parallel
  {
    nap(0.2);
#pragma omp single /* single */
    nap(0.6);
    nap(0.2);
  }
  return 3 * 0.6;
}

static double shared_block(void) {
#pragma omp parallel
  {
    nap(0.2);
    nap(0.15);
    nap(0.2);
  }
  return 0;
}

static double copied_value(void) {
  double sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    double value;
#pragma omp single copyprivate(value) /* copyprivate */
    {
      nap(0.6);
      value = 1;
    }
    nap(0.2);
    sum += value;
  }
  return sum > 0 ? 3 * 0.6 : 0;
}

static double parts_of_value(void) {
  double sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    nap(0.15);
    nap(0.2);
    sum += 1;
  }
  return 0;
}

static double master_block(void) {
#pragma omp parallel
  {
    nap(0.2);
#pragma omp master
    nap(0.6);
#pragma omp barrier /* master */
    nap(0.2);
  }
  return 3 * 0.6;
}

static double late_at_barrier(void) {
#pragma omp parallel
  {
    nap(omp_get_thread_num() == 2 ? 0.8 : 0.2);
#pragma omp barrier /* barrier */
    nap(0.2);
  }
  return 3 * 0.6;
}

static double even_before_barrier(void) {
#pragma omp parallel
  {
    nap(0.35);
#pragma omp barrier
    nap(0.2);
  }
  return 0;
}

static double small_team(void) {
#pragma omp parallel
  nap(0.2);
#pragma omp parallel num_threads(2) /* small-team */
  nap(0.6);
  return 2 * 0.6;
}

static double whole_team(void) {
#pragma omp parallel
  nap(0.2);
#pragma omp parallel
  nap(0.3);
  return 0;
}

static double long_critical(void) {
#pragma omp parallel num_threads(2)
  for (int i = 0; i < 100; i++) {
    nap(0.001);
#pragma omp critical /* critical */
    nap(0.005);
  }
  return 200 * 0.004;
}

static double no_critical(void) {
#pragma omp parallel num_threads(2)
  for (int i = 0; i < 100; i++) {
    nap(0.001);
    nap(0.005);
  }
  return 0;
}

static double long_lock(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
  for (int i = 0; i < 100; i++) {
    nap(0.001);
    omp_set_lock(&lock); /* lock */
    nap(0.005);
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  return 200 * 0.004;
}

static double tried_lock(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
  for (int i = 0; i < 100; i++) {
    nap(0.001);
    while (!omp_test_lock(&lock)) /* tried-lock */
      nap(0.0001);
    nap(0.005);
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  return 200 * 0.004;
}

static const Part parts[] = {
    {"uneven-region", uneven_region, even_region},
    {"serial", serial_part, parallel_part},
    {"single", in_single, shared_block},
    {"copyprivate", copied_value, parts_of_value},
    {"master", master_block, shared_block},
    {"barrier", late_at_barrier, even_before_barrier},
    {"small-team", small_team, whole_team},
    {"critical", long_critical, no_critical},
    {"lock", long_lock, no_critical},
    {"tried-lock", tried_lock, no_critical},
};

int main(int argc, char **argv) { return run(argc, argv, parts, sizeof parts / sizeof *parts); }
