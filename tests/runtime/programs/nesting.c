/* Nested teams, recursion, frames left open, teams that change their size. */
#include "pomp_test.h"

#include <omp.h>
#include <setjmp.h>
#include <string.h>

PLACE(outer, "parallel", 10);
PLACE(inner, "parallel", 20);
PLACE(crit, "critical", 30);
FUNCTION(recur, "recurse", 40);
FUNCTION(leap, "leap", 50);
PLACE(sized, "parallel", 60);
PLACE(again, "parallel", 70);
PLACE(bare, "parallel", 80);

static void nested(void) {
  omp_set_max_active_levels(2);
  PARALLEL(outer, num_threads(2))
  PARALLEL(inner, num_threads(3))
  sleep_ms(10);
  END_PARALLEL(inner)
  END_PARALLEL(outer)
}

static void serial(void) {
  sleep_ms(20);
  nested();
  sleep_ms(30);
  PARALLEL(inner, num_threads(2))
  END_PARALLEL(inner)
  sleep_ms(10);
}

static void recurse(int n) {
  POMP_Begin(&recur);
  sleep_ms(2);
  if (n > 1)
    recurse(n - 1);
  POMP_End(&recur);
}

/* A parallel region that calls itself: the same region on two levels. */
static void recurse_parallel(int n) {
  omp_set_max_active_levels(2);
  PARALLEL(again, num_threads(2))
  sleep_ms(5);
  if (n > 1 && omp_get_thread_num() == 0)
    recurse_parallel(n - 1);
  END_PARALLEL(again)
}

static void left_open(void) {
  jmp_buf back;
  POMP_Begin(&leap);
  if (!setjmp(back)) {
    POMP_Critical_enter(&crit);
    POMP_Critical_begin(&crit);
    longjmp(back, 1);
  }
  POMP_End(&leap);
  POMP_End(&leap);           /* no visit is open: ignored */
  POMP_Critical_exit(&crit); /* nor here */
}

static void sizes(void) {
  for (int round = 0; round < 5; round++)
    for (int n = 1; n <= 8; n++) {
      PARALLEL(sized, num_threads(n))
      END_PARALLEL(sized)
    }
}

/* Another tool's calls, which know no teams. */
static void without_team(void) {
#pragma omp parallel num_threads(3)
  {
    POMP_Parallel_begin(&bare);
    sleep_ms(5);
    POMP_Parallel_end(&bare);
  }
}

/* With OMP_CANCELLATION=true, no thread reaches the end of a region. */
static void cancelled(int cancel) {
  POMP_Parallel_fork(&sized);
  void *team = POMP_Get_team();
#pragma omp parallel num_threads(4) firstprivate(team)
  {
    POMP_Set_team(team);
    POMP_Parallel_begin(&sized);
    POMP_Critical_enter(&crit);
    POMP_Critical_begin(&crit);
    if (cancel) {
#pragma omp cancel parallel
    }
    sleep_ms(5);
    POMP_Critical_end(&crit);
    POMP_Critical_exit(&crit);
    POMP_Parallel_end(&sized);
  }
  POMP_Parallel_join(&sized);
}

static void deep(void) {
  const int depth = 300000;
  for (int i = 0; i < depth; i++)
    POMP_Begin(&recur);
  for (int i = 0; i < depth; i++)
    POMP_End(&recur);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (!strcmp(what, "nested"))
    nested();
  if (!strcmp(what, "serial"))
    serial();
  if (!strcmp(what, "recurse"))
    recurse(10);
  if (!strcmp(what, "recurse_parallel"))
    recurse_parallel(2);
  if (!strcmp(what, "left_open"))
    left_open();
  if (!strcmp(what, "sizes"))
    sizes();
  if (!strcmp(what, "without_team"))
    without_team();
  if (!strcmp(what, "cancelled"))
    for (int cancel = 1; cancel >= 0; cancel--) {
      cancelled(cancel);
      sleep_ms(200);
    }
  if (!strcmp(what, "deep"))
    deep();
  return 0;
}
