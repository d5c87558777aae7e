/* Untied tasks that leave a thread where no event reports it. */
#include "pomp_tasks.h"

#include <string.h>

PLACE(par, "parallel", 10);
PLACE(sum, "for", 20);
PLACE(parts, "sections", 30);
PLACE(yield, "taskyield", 40);
PLACE_WITH(untied, "task", 0, 50, POMP_UNTIED);

static int unseen; /* whether the task also leaves where nothing is measured */

static void make_task(void) {
  TASK(untied, untied)
  if (unseen) {
#pragma omp taskyield
  }
  TASKYIELD(yield)
  TASKYIELD(yield)
  END_TASK(untied)
}

/* The tasks run in the barrier that libomp has of its own before a team of many reduces. */
static void reduced(int rounds) {
  long result = 0;
  for (int round = 0; round < rounds; round++) {
    PARALLEL(par, num_threads(14))
    POMP_For_enter(&sum);
#pragma omp for nowait reduction(+ : result)
    for (int i = 0; i < 14; i++) {
      make_task();
      result++;
    }
    BARRIER(sum);
    POMP_For_exit(&sum);
    END_PARALLEL(par)
  }
  printf("%ld\n", result);
}

/* And in the one between the first values and the last ones of the same variable. */
static void handed_on(int rounds) {
  int value = 0;
  for (int round = 0; round < rounds; round++) {
    PARALLEL(par, num_threads(14))
    make_task();
    POMP_Sections_enter(&parts);
#pragma omp sections nowait firstprivate(value) lastprivate(value)
    {
#pragma omp section
      {
        POMP_Section_begin(&parts);
        value++;
        POMP_Section_end(&parts);
      }
#pragma omp section
      {
        POMP_Section_begin(&parts);
        value++;
        POMP_Section_end(&parts);
      }
    }
    BARRIER(parts);
    POMP_Sections_exit(&parts);
    END_PARALLEL(par)
  }
  printf("%d\n", value);
}

/* The token may be the value that another variable has left there. */
static void no_tokens(void) {
  static void *_Atomic earlier;
  void *wrong[] = {&yield, (void *)2, (void *)0x1234, (void *)-2, (void *)-1, (void *)7, 0};
  PARALLEL(par, num_threads(4))
  for (int i = 0; i < 50; i++) {
    TASK(untied, untied)
    earlier = POMP_Get_task();
    END_TASK(untied)
    TASK(untied, untied)
    void *own = POMP_Get_task();
    POMP_Taskyield_enter(&yield);
    for (unsigned each = 0; each < sizeof wrong / sizeof *wrong; each++)
      POMP_Set_task(wrong[each]);
    POMP_Set_task(earlier);
    POMP_Set_task(own);
    POMP_Taskyield_exit(&yield);
    END_TASK(untied)
  }
  END_PARALLEL(par)
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  int n = argc > 2 ? atoi(argv[2]) : 0;
  if (!strcmp(what, "reduced"))
    reduced(n);
  if (!strcmp(what, "reduced_unseen")) {
    unseen = 1;
    reduced(n);
  }
  if (!strcmp(what, "handed_on"))
    handed_on(n);
  if (!strcmp(what, "no_tokens"))
    no_tokens();
  return 0;
}
