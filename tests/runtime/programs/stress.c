/* Teams in tasks in teams, some cancelled, by a seed; the program counts for itself. */
#include "pomp_tasks.h"

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>

enum { PAR = 1, INNER, CUT, TIED, UNTIED, WAIT, GROUP, YIELD, CRIT, LOCK, FUNC, PLACES };

PLACE(par, "parallel", 10);
PLACE(inner, "parallel", 20);
PLACE(cut, "parallel", 30);
PLACE(tied, "task", 40);
PLACE_WITH(untied, "task", 0, 50, POMP_UNTIED);
PLACE(wait, "taskwait", 60);
PLACE(group, "taskgroup", 70);
PLACE(yield, "taskyield", 80);
PLACE(crit, "critical", 90);
PLACE(locking, "lock", 100);
FUNCTION(func, "step", 110);

static _Atomic long entered[PLACES];
static omp_lock_t lock;

static void count(int place) {
  atomic_fetch_add_explicit(&entered[place], 1, memory_order_relaxed);
}

static unsigned next(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 16;
}

static void step(unsigned state, int depth);

static void in_critical(void) {
  POMP_Critical_enter(&crit);
#pragma omp critical
  {
    POMP_Critical_begin(&crit);
    count(CRIT);
    POMP_Critical_end(&crit);
  }
  POMP_Critical_exit(&crit);
}

static void in_lock(void) {
  POMP_Set_lock(&lock, &locking);
  count(LOCK);
  POMP_Unset_lock(&lock, &locking);
}

static void team(unsigned state, int depth) {
  PARALLEL(inner, num_threads(1 + next(&state) % 3))
  count(INNER);
  step(state + (unsigned)omp_get_thread_num(), depth - 1);
  END_PARALLEL(inner)
}

/* Only in teams without tasks does the runtime know the threads that reach an end. */
static void cancelled_team(unsigned state) {
  POMP_Parallel_fork(&cut);
  void *team_of_cut = POMP_Get_team();
#pragma omp parallel num_threads(1 + next(&state) % 3) firstprivate(team_of_cut)
  {
    POMP_Set_team(team_of_cut);
    POMP_Parallel_begin(&cut);
    count(CUT);
    in_critical();
#pragma omp cancel parallel if (omp_get_thread_num() == 0)
#pragma omp cancellation point parallel
    POMP_Parallel_end(&cut);
  }
  POMP_Parallel_join(&cut);
}

static void tied_task(unsigned state, int depth, int cancels) {
  TASK(tied, firstprivate(state, depth, cancels) if (next(&state) % 4))
  count(TIED);
  step(state, depth - 1);
#pragma omp cancel taskgroup if (cancels)
  END_TASK(tied)
}

static void untied_task(unsigned state, int depth) {
  TASK(untied, untied firstprivate(state, depth))
  count(UNTIED);
  POMP_Begin(&func);
  count(FUNC);
  step(state, depth - 1);
  POMP_End(&func);
  count(YIELD);
  TASKYIELD(yield)
  END_TASK(untied)
}

static void task_group(unsigned state, int depth) {
  count(GROUP);
  TASKGROUP(group)
  untied_task(state + 1, depth);
  tied_task(state, depth, next(&state) % 2);
  untied_task(state + 2, depth);
  END_TASKGROUP(group)
}

static void step(unsigned state, int depth) {
  if (depth <= 0)
    return;
  for (int i = 0; i < 3; i++)
    switch (next(&state) % 8) {
    case 0:
      team(state, depth);
      break;
    case 1:
      cancelled_team(state);
      break;
    case 2:
      tied_task(state, depth, 0);
      break;
    case 3:
      untied_task(state, depth);
      break;
    case 4:
      task_group(state, depth - 1);
      break;
    case 5:
      in_critical();
      break;
    case 6:
      in_lock();
      break;
    default:
      count(WAIT);
      TASKWAIT(wait)
    }
}

static void *program(void *seed) {
  for (unsigned round = 0; round < 8; round++) {
    PARALLEL(par, num_threads(3))
    count(PAR);
    step(*(unsigned *)seed + 7 * round + (unsigned)omp_get_thread_num(), 4);
    END_PARALLEL(par)
  }
  return NULL;
}

/* Two threads of the program's own, each with teams. */
int main(int argc, char **argv) {
  unsigned seeds[2] = {argc > 1 ? (unsigned)atoi(argv[1]) : 0, 1000003u};
  pthread_t other;
  seeds[1] += seeds[0];
  omp_set_max_active_levels(8);
  omp_init_lock(&lock);
  if (pthread_create(&other, NULL, program, &seeds[1]) != 0)
    return 1;
  program(&seeds[0]);
  pthread_join(other, NULL);
  for (int place = 1; place < PLACES; place++)
    printf("%d %ld\n", 10 * place, atomic_load(&entered[place]));
  return 0;
}
