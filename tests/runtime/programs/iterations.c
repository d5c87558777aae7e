/* Iterations of loops, with the calls that the rewritten text makes. */
#include "pomp_test.h"

#include <limits.h>
#include <string.h>
#include <sys/wait.h>

PLACE(up, "for", 10);
PLACE(down, "for", 20);
PLACE(far, "for", 30);
PLACE(outer, "for", 40);
PLACE(inner, "for", 50);
PLACE(team, "parallel", 60);
PLACE(shared, "for", 70);

static void loop(OMPRegDescr *d, long first, long last, long step) {
  POMP_For_enter(d);
  POMP_Iterations_begin(d);
  for (long i = first; step > 0 ? i < last : i > last; i += step)
    POMP_Iteration(d, i);
  POMP_Iterations_end(d);
  POMP_For_exit(d);
}

static void values(OMPRegDescr *d, const long *value, int number) {
  POMP_For_enter(d);
  POMP_Iterations_begin(d);
  for (int i = 0; i < number; i++)
    POMP_Iteration(d, value[i]);
  POMP_Iterations_end(d);
  POMP_For_exit(d);
}

static void nested(void) {
  POMP_For_enter(&outer);
  POMP_Iterations_begin(&outer);
  for (long i = 0; i < 3; i++) {
    POMP_Iteration(&outer, i);
    loop(&inner, 0, 4, 1);
    /* The loop itself again, in one of its own iterations. */
    loop(&outer, 100, 110, 1);
  }
  POMP_Iterations_end(&outer);
  POMP_For_exit(&outer);
}

static void by_team(void) {
  PARALLEL(team, num_threads(4))
  POMP_For_enter(&shared);
  POMP_Iterations_begin(&shared);
#pragma omp for schedule(dynamic, 3) nowait
  for (int i = 0; i < 5000; i++)
    POMP_Iteration(&shared, i);
  POMP_Iterations_end(&shared);
  POMP_For_exit(&shared);
  END_PARALLEL(team)
}

int main(int argc, char **argv) {
  const long extremes[] = {LONG_MIN + 5, LONG_MIN, LONG_MAX, -1, 1};
  for (int i = 0; i < 300; i++)
    loop(&up, 0, 5, 1);
  if (argc > 1 && !strcmp(argv[1], "child")) {
    if (!fork()) {
      loop(&up, 0, 7, 1);
      return 0;
    }
    wait(NULL);
    return 0;
  }
  loop(&down, 100000, 0, -3);
  values(&far, extremes, 5);
  nested();
  by_team();
  POMP_Off();
  loop(&inner, 0, 1000, 1);
  POMP_On();
  POMP_Iteration(&up, 7); /* in no loop */
  return 0;
}
