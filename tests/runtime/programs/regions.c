/* Makes parallel regions whose members record their arrival, by hand: `regions KIND TURNS`.
 *
 * bare, empty, loop: regions of one thread, not measured, measured, or with a loop
 * teams: regions of one to three threads around regions of two
 * early: tasks between two regions */
#include "pomp_test.h"

#include <omp.h>
#include <string.h>

PLACE_WITH(empty, "parallel", 0, 10, POMP_ARRIVAL);
PLACE_WITH(loop, "parallel for", 0, 20, POMP_ARRIVAL);
PLACE_WITH(outer, "parallel", 0, 30, POMP_ARRIVAL);
PLACE_WITH(inner, "parallel", 0, 40, POMP_ARRIVAL);
PLACE(task, "task", 50);

/* parallel [clauses] block, whose barrier at the end stays as it is. */
#define REGION(d, clauses)                                                                         \
  {                                                                                                \
    POMP_Parallel_fork(&d);                                                                        \
    void *team_of_##d = POMP_Get_team();                                                           \
    PRAGMA(omp parallel clauses firstprivate(team_of_##d)) {                                       \
      POMP_Set_team(team_of_##d);                                                                  \
      POMP_Parallel_begin(&d);
#define END_REGION(d)                                                                              \
  POMP_Parallel_end(&d);                                                                           \
  }                                                                                                \
  POMP_Parallel_join(&d);                                                                          \
  }

static volatile int sink;

static void make_bare(int turns) {
  for (int turn = 0; turn < turns; turn++) {
#pragma omp parallel num_threads(1)
    sink = turn;
  }
}

static void make_empty(int turns) {
  for (int turn = 0; turn < turns; turn++) {
    REGION(empty, num_threads(1))
    sink = turn;
    END_REGION(empty)
  }
}

static void make_loops(int turns) {
  for (int turn = 0; turn < turns; turn++) {
    REGION(loop, num_threads(1))
    POMP_For_enter(&loop);
    sink = turn;
    POMP_For_exit(&loop);
    END_REGION(loop)
  }
}

static void make_teams(int turns) {
  for (int turn = 0; turn < turns; turn++) {
    int size = 1 + turn % 3;
    REGION(outer, num_threads(size))
    REGION(inner, num_threads(2))
    END_REGION(inner)
    END_REGION(outer)
  }
}

/* Members run tasks of a team that they have not begun in: a region that is not measured stands for
 * the OpenMP runtime's wait for the next region. */
static void make_early_tasks(int turns) {
  for (int turn = 0; turn < turns; turn++) {
    REGION(empty, num_threads(3))
    END_REGION(empty)
#pragma omp parallel num_threads(3)
    for (int tasks = omp_get_thread_num(); tasks > 0; tasks--) {
      POMP_Task_begin(&task);
      sleep_ms(1);
      POMP_Task_end(&task);
    }
  }
}

int main(int count, char **words) {
  int turns = count > 2 ? atoi(words[2]) : 0;
  if (!strcmp(words[1], "bare"))
    make_bare(turns);
  else if (!strcmp(words[1], "empty"))
    make_empty(turns);
  else if (!strcmp(words[1], "loop"))
    make_loops(turns);
  else if (!strcmp(words[1], "early"))
    make_early_tasks(turns);
  else
    make_teams(turns);
  return 0;
}
