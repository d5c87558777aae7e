/* Programs without a flaw, for a team of four. */
#include "part.h"

static double loop(void) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < 32; i++)
    nap(0.1);
  return 0;
}

static double dynamic_loop(void) {
#pragma omp parallel
#pragma omp for schedule(dynamic, 1)
  for (int i = 0; i < 400; i++)
    nap(0.01);
  return 0;
}

static double tasks(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 80; i++) {
#pragma omp task
    nap(0.04);
  }
  return 0;
}

static double sections(void) {
#pragma omp parallel sections
  {
#pragma omp section
    nap(0.8);
#pragma omp section
    nap(0.8);
#pragma omp section
    nap(0.8);
#pragma omp section
    nap(0.8);
  }
  return 0;
}

static double pipelines(void) {
  int stage[4] = {0};
  (void)stage;
#pragma omp parallel shared(stage)
#pragma omp single
  for (int i = 0; i < 80; i++) {
#pragma omp task depend(inout : stage[i % 4])
    nap(0.04);
  }
  return 0;
}

static double nested(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  for (int i = 0; i < 4; i++) {
#pragma omp parallel num_threads(2)
    nap(0.2);
  }
  return 0;
}

static double phases(void) {
#pragma omp parallel
  for (int i = 0; i < 8; i++) {
    nap(0.1);
#pragma omp barrier
  }
  return 0;
}

static double short_critical(void) {
  double sum = 0;
#pragma omp parallel
  for (int i = 0; i < 8; i++) {
    nap(0.1);
#pragma omp critical
    sum += i;
  }
  return sum < 0;
}

static double parts_of_taskloop(void) {
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < 80; i++)
    nap(0.04);
  return 0;
}

static double own_locks(void) {
  omp_lock_t locks[4];
  for (int i = 0; i < 4; i++)
    omp_init_lock(&locks[i]);
#pragma omp parallel
  for (int i = 0; i < 8; i++) {
    omp_set_lock(&locks[omp_get_thread_num()]);
    nap(0.1);
    omp_unset_lock(&locks[omp_get_thread_num()]);
  }
  for (int i = 0; i < 4; i++)
    omp_destroy_lock(&locks[i]);
  return 0;
}

static const Part parts[] = {
    {"loop", loop, NULL},
    {"dynamic-loop", dynamic_loop, NULL},
    {"tasks", tasks, NULL},
    {"sections", sections, NULL},
    {"pipelines", pipelines, NULL},
    {"nested", nested, NULL},
    {"phases", phases, NULL},
    {"short-critical", short_critical, NULL},
    {"taskloop", parts_of_taskloop, NULL},
    {"own-locks", own_locks, NULL},
};

int main(int argc, char **argv) { return run(argc, argv, parts, sizeof parts / sizeof *parts); }
