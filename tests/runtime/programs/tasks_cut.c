/* Tasks that do not come to their end. */
#include "pomp_tasks.h"

#include <omp.h>
#include <string.h>

PLACE(par, "parallel", 10);
PLACE(one, "single", 20);
PLACE(task, "task", 30);
PLACE(wait, "taskwait", 40);
PLACE(child, "task", 50);
PLACE(group, "taskgroup", 60);
FUNCTION(func, "work", 100);
PLACE(cancel, "cancel", 120);
PLACE(point, "cancellation point", 130);
PLACE(crit, "critical", 150);
FUNCTION(outer, "outer", 160);

/* Every task comes to the point where it is cancelled, once the first one has. */
static void cancelled(int rounds, int measured) {
  PARALLEL(par, num_threads(4))
  SINGLE(one)
  for (int round = 0; round < rounds; round++) {
    TASKGROUP(group)
    for (int i = 0; i < 20; i++) {
      TASK(task, firstprivate(i))
      POMP_Begin(&func);
      if (i == 5) {
        if (measured)
          POMP_Cancel_enter(&cancel);
#pragma omp cancel taskgroup
        if (measured)
          POMP_Cancel_exit(&cancel);
      }
      if (measured)
        POMP_Cancellation_point_enter(&point);
#pragma omp cancellation point taskgroup
      if (measured)
        POMP_Cancellation_point_exit(&point);
      POMP_End(&func);
      END_TASK(task)
    }
    END_TASKGROUP(group)
    TASK(child, )
    END_TASK(child)
  }
  END_SINGLE(one)
  END_PARALLEL(par)
}

/* Ends in a task in a taskwait in a task in a barrier. */
static void ended_inside(const char *how) {
  PARALLEL(par, num_threads(2))
  if (omp_get_thread_num() == 1)
    sleep_ms(2000);
  TASK(task, )
  POMP_Begin(&func);
  sleep_ms(10);
  TASK(child, )
  POMP_Critical_enter(&crit);
  POMP_Critical_begin(&crit);
  sleep_ms(20);
  POMP_Critical_end(&crit);
  sleep_ms(10);
  POMP_Begin(&func);
  sleep_ms(10);
  if (!strcmp(how, "exit"))
    exit(7);
  POMP_Begin(&outer);
  abort();
  END_TASK(child)
  TASKWAIT(wait)
  END_TASK(task)
  END_PARALLEL(par)
}

int main(int argc, char **argv) {
  const char *what = argc > 2 ? argv[1] : "";
  if (!strcmp(what, "cancelled"))
    cancelled(atoi(argv[2]), argc > 3);
  if (!strcmp(what, "inside"))
    ended_inside(argv[2]);
  return 0;
}
