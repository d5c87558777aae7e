// Tasks: creation, execution and waiting are separate events. At every scheduling point, the
// resumed task passes its token, and a running task names the place of its creation.
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
int f(int k) {
  int x = 0;
  if (k < 2)
    return k;
#pragma omp task shared(x) untied if(k > 3 ? 1 : 0)
  x = f(k - 1);
#pragma omp taskwait
#pragma omp taskgroup
  {
#pragma omp taskloop num_tasks(3)
    for (int i = 0; i < 9; i++)
      x++;
#pragma omp taskyield
  }
  return x;
}
// CHECK: { "task", {{[^}]*}}, sizeof(struct __pomp_descriptor), 16, 1, "shared(x) untied if(k > 3 \077 1 : 0)", "f", 0 }
// CHECK: { void *[[T:__pomp_task1]] = POMP_Get_task(); void *[[M:__pomp_made1]] = (POMP_Task_enter([[D:__pomp_rd1\(\)]]), POMP_Get_creation()); _Pragma("omp task shared(x) untied if(k > 3 ? 1 : 0) firstprivate([[M]])") { POMP_Set_creation([[M]]), POMP_Task_begin([[D]]);
// CHECK-NEXT: x = f(k - 1); ; POMP_Task_end([[D]]); } POMP_Set_task([[T]]); POMP_Task_exit([[D]]); }
// CHECK-NEXT: { void *[[W:__pomp_task2]] = POMP_Get_task(); POMP_Taskwait_enter({{.*}} _Pragma("omp taskwait") POMP_Set_task([[W]]); POMP_Taskwait_exit(
// CHECK-NEXT: POMP_Taskgroup_enter([[G:__pomp_rd3\(\)]]); _Pragma("omp taskgroup") { POMP_Taskgroup_begin([[G]]);
// CHECK: POMP_Taskloop_enter([[L:__pomp_rd4\(\)]]); _Pragma("omp taskloop num_tasks(3)")
// CHECK-NEXT: for (int i = 0; i < 9; i++)
// CHECK-NEXT: x++; ; POMP_Set_task({{.*}}); POMP_Taskloop_exit([[L]]); }
// CHECK: } POMP_Taskgroup_end([[G]]); } POMP_Set_task({{.*}}); POMP_Taskgroup_exit([[G]]); }
