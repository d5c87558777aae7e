/* The rewriter's output for the constructs of tasks. */
#ifndef POMP_TASKS_H
#define POMP_TASKS_H

#include "pomp_test.h"

/* task [clauses] block: TASK(d, "final(1)") ... END_TASK(d) */
#define TASK(d, clauses)                                                                           \
  {                                                                                                \
    void *task_at_##d = POMP_Get_task();                                                           \
    void *made_at_##d = (POMP_Task_enter(&d), POMP_Get_creation());                                \
    PRAGMA(omp task firstprivate(made_at_##d) clauses) {                                           \
      POMP_Set_creation(made_at_##d);                                                              \
      POMP_Task_begin(&d);                                                                         \
      {
#define END_TASK(d)                                                                                \
  }                                                                                                \
  POMP_Task_end(&d);                                                                               \
  }                                                                                                \
  POMP_Set_task(task_at_##d);                                                                      \
  POMP_Task_exit(&d);                                                                              \
  }
#define TASKWAIT(d)                                                                                \
  {                                                                                                \
    void *task_at_##d = POMP_Get_task();                                                           \
    POMP_Taskwait_enter(&d);                                                                       \
    PRAGMA(omp taskwait)                                                                           \
    POMP_Set_task(task_at_##d);                                                                    \
    POMP_Taskwait_exit(&d);                                                                        \
  }
#define TASKYIELD(d)                                                                               \
  {                                                                                                \
    void *task_at_##d = POMP_Get_task();                                                           \
    POMP_Taskyield_enter(&d);                                                                      \
    PRAGMA(omp taskyield)                                                                          \
    POMP_Set_task(task_at_##d);                                                                    \
    POMP_Taskyield_exit(&d);                                                                       \
  }
#define TASKGROUP(d)                                                                               \
  {                                                                                                \
    void *task_at_##d = POMP_Get_task();                                                           \
    POMP_Taskgroup_enter(&d);                                                                      \
    PRAGMA(omp taskgroup) {                                                                        \
      POMP_Taskgroup_begin(&d);                                                                    \
      {
#define END_TASKGROUP(d)                                                                           \
  }                                                                                                \
  POMP_Taskgroup_end(&d);                                                                          \
  }                                                                                                \
  POMP_Set_task(task_at_##d);                                                                      \
  POMP_Taskgroup_exit(&d);                                                                         \
  }
#define SINGLE(d)                                                                                  \
  POMP_Single_enter(&d);                                                                           \
  PRAGMA(omp single nowait) {                                                                      \
    POMP_Single_begin(&d);                                                                         \
    {
#define END_SINGLE(d)                                                                              \
  }                                                                                                \
  POMP_Single_end(&d);                                                                             \
  }                                                                                                \
  BARRIER(d);                                                                                      \
  POMP_Single_exit(&d);

#endif
