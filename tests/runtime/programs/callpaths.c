/* Call paths. The first argument chooses: "teams" regions on two threads, "deep" N recursions,
 * "wide" N paths, "tasks" that make tasks down to a depth of N, "fib" that make them for N. */
#include "pomp_tasks.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

PLACE(par, "parallel", 10);
PLACE(inner, "parallel", 20);
PLACE(crit, "critical", 30);
FUNCTION(func, "again", 40);
PLACE(one, "single", 50);
PLACE(first, "task", 60);
PLACE(second, "task", 70);
PLACE(wait, "taskwait", 80);
PLACE_IN("fib", left, "task", 90);
PLACE_IN("fib", right, "task", 100);

static void critical(void) {
  POMP_Critical_enter(&crit);
  POMP_Critical_begin(&crit);
  POMP_Critical_end(&crit);
  POMP_Critical_exit(&crit);
}

static void nested(void) {
  POMP_Parallel_fork(&inner);
  void *team = POMP_Get_team();
#pragma omp parallel num_threads(2)
  {
    POMP_Set_team(team);
    POMP_Parallel_begin(&inner);
    critical();
    POMP_Parallel_end(&inner);
  }
  POMP_Parallel_join(&inner);
}

static void teams(void) {
  omp_set_max_active_levels(2);
  critical();
  POMP_Parallel_fork(&par);
  void *team = POMP_Get_team();
#pragma omp parallel num_threads(2)
  {
    POMP_Set_team(team);
    POMP_Parallel_begin(&par);
    nested();
    POMP_Parallel_end(&par);
  }
  POMP_Parallel_join(&par);
  nested();
}

static void deep(int depth) {
  POMP_Begin(&func);
  if (depth > 1)
    deep(depth - 1);
  else
    critical();
  POMP_End(&func);
}

/* A path for each number of `bits` bits. */
static void wide(int bits) {
  if (!bits) {
    critical();
    return;
  }
  POMP_Begin(&func);
  wide(bits - 1);
  POMP_End(&func);
  POMP_Atomic_enter(&crit);
  wide(bits - 1);
  POMP_Atomic_exit(&crit);
}

/* Each task makes two: one of its own kind and one of the other. */
static void task_of_a(int depth);

static void task_of_b(int depth) {
  TASK(second, )
  if (depth)
    task_of_a(depth - 1);
  END_TASK(second)
}

static void task_of_a(int depth) {
  TASK(first, )
  if (depth) {
    task_of_a(depth - 1);
    task_of_b(depth - 1);
    critical();
  }
  TASKWAIT(wait)
  END_TASK(first)
}

static void fib(int n) {
  if (n < 2)
    return;
  TASK(left, )
  fib(n - 1);
  END_TASK(left)
  TASK(right, )
  fib(n - 2);
  END_TASK(right)
  TASKWAIT(wait)
}

static void tasks(void of(int), int depth) {
  PARALLEL(par, num_threads(4))
  SINGLE(one)
  of(depth);
  END_SINGLE(one)
  END_PARALLEL(par)
}

int main(int count, char **words) {
  int number = count > 2 ? atoi(words[2]) : 0;
  if (!strcmp(words[1], "teams"))
    teams();
  if (!strcmp(words[1], "deep"))
    deep(number);
  if (!strcmp(words[1], "wide"))
    wide(number);
  if (!strcmp(words[1], "tasks"))
    tasks(task_of_a, number);
  if (!strcmp(words[1], "fib"))
    tasks(fib, number);
  return 0;
}
