/* Flaws of tasks, for a team of four. */
#include "part.h"

static double giant_task(void) {
#pragma omp parallel
#pragma omp single /* giant-task */
  {
#pragma omp task
    nap(0.8);
    for (int i = 0; i < 30; i++) {
#pragma omp task
      nap(0.02);
    }
  }
  return 3 * 0.6;
}

static double divided_task(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 70; i++) {
#pragma omp task
    nap(0.02);
  }
  return 0;
}

static double few_tasks(void) {
#pragma omp parallel
#pragma omp single /* few-tasks */
  for (int i = 0; i < 2; i++) {
#pragma omp task
    nap(0.8);
  }
  return 2 * 0.8;
}

static double enough_tasks(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 32; i++) {
#pragma omp task
    nap(0.05);
  }
  return 0;
}

static double slow_creator(void) {
#pragma omp parallel
#pragma omp single /* slow-creator */
  for (int i = 0; i < 160; i++) {
    nap(0.005);
#pragma omp task
    nap(0.005);
  }
  return 2 * 0.8;
}

static double several_creators(void) {
#pragma omp parallel
#pragma omp for
  for (int i = 0; i < 160; i++) {
    nap(0.005);
#pragma omp task
    nap(0.005);
  }
  return 0;
}

static double waits_at_once(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 20; i++) {
#pragma omp task
    nap(0.04);
#pragma omp taskwait /* taskwait */
  }
  return 3 * 0.8;
}

static double waits_later(void) {
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 20; i++) {
#pragma omp task
      nap(0.04);
    }
#pragma omp taskwait
  }
  return 0;
}

static double small_groups(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 20; i++) {
#pragma omp taskgroup /* taskgroup */
    {
#pragma omp task
      nap(0.04);
    }
  }
  return 3 * 0.8;
}

static double large_group(void) {
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
  for (int i = 0; i < 20; i++) {
#pragma omp task
    nap(0.04);
  }
  return 0;
}

static double chain(void) {
  int link = 0;
  (void)link;
#pragma omp parallel shared(link)
#pragma omp single /* chain */
  for (int i = 0; i < 20; i++) {
#pragma omp task depend(inout : link)
    nap(0.04);
  }
  return 3 * 0.8;
}

static double four_chains(void) {
  int link[4] = {0};
  (void)link;
#pragma omp parallel shared(link)
#pragma omp single
  for (int i = 0; i < 20; i++) {
#pragma omp task depend(inout : link[i % 4])
    nap(0.04);
  }
  return 0;
}

/* For two threads, of which either ends first. */
static double few_of_taskloop(void) {
#pragma omp parallel
#pragma omp single                /* few-of-taskloop */
#pragma omp taskloop num_tasks(3) /* few-of-taskloop */
  for (int i = 0; i < 30; i++)
    nap(0.05);
  return 0.5;
}

static double enough_of_taskloop(void) {
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(10)
  for (int i = 0; i < 30; i++)
    nap(0.05);
  return 0;
}

static const Part parts[] = {
    {"giant-task", giant_task, divided_task},
    {"few-tasks", few_tasks, enough_tasks},
    {"slow-creator", slow_creator, several_creators},
    {"taskwait", waits_at_once, waits_later},
    {"taskgroup", small_groups, large_group},
    {"chain", chain, four_chains},
    {"few-of-taskloop", few_of_taskloop, enough_of_taskloop},
};

int main(int argc, char **argv) { return run(argc, argv, parts, sizeof parts / sizeof *parts); }
