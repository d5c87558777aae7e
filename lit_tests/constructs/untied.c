// clang enters an untied task's function anew after each scheduling point. It keeps no variable
// declared within another construct there, so a variable of the task's own block holds the token.
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: %pomp --pomp-strict -- %gcc -std=gnu89 -Wdeclaration-after-statement -fopenmp -Wall -Wextra -Wshadow -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %clang -O2 -fopenmp -Wall -Wextra -Wshadow -Werror %s -o %t.exe
// RUN: rm -rf %t.dir && env OMP_NUM_THREADS=4 POMP_EXPERIMENT_DIR=%t.dir %t.exe | FileCheck --check-prefix=OUT %s
// RUN: %pomp report --all %t.dir | FileCheck --check-prefix=COUNTS %s
#include <stdio.h>
int many = 200;
static void make(int *sum, int n) {
#pragma omp task untied firstprivate(n, sum)
  {
#pragma omp taskgroup
    {
#pragma omp task firstprivate(n, sum)
      {
#pragma omp taskwait
#pragma omp atomic
        *sum += n >= 0;
      }
#pragma omp taskyield
    }
#pragma omp target data map(to : n)
    {
#pragma omp task untied firstprivate(sum)
#pragma omp atomic
      *sum += 1;
    }
#pragma omp parallel num_threads(1) firstprivate(sum)
    {
#pragma omp taskwait
#pragma omp atomic
      *sum += 1;
    }
  }
}
int main(void) {
  int sum = 0, i;
#pragma omp parallel
#pragma omp single
  for (i = 0; i < many; i++)
    make(&sum, i);
  printf("%d\n", sum);
  return 0;
}
// OUT: 600
// COUNTS-DAG: task {{.*}}:12-36 200
// COUNTS-DAG: taskgroup {{.*}}:14-23 200
// COUNTS-DAG: task {{.*}}:16-21 200
// COUNTS-DAG: taskyield {{.*}}:22 200
// COUNTS-DAG: target data {{.*}}:24-29 200
// COUNTS-DAG: task {{.*}}:26-28 200
// COUNTS-DAG: taskwait {{.*}}:32 200
// CHECK: _Pragma("omp task untied firstprivate(n, sum) firstprivate([[M:__pomp_made1]])") { void *[[OWN:__pomp_self1]] = (POMP_Set_creation([[M]]), POMP_Task_begin(__pomp_rd1()), POMP_Get_task());
// CHECK: { POMP_Taskgroup_enter(
// CHECK: { void *__pomp_made{{.*}} = (POMP_Task_enter(
// CHECK: { void *[[CHILD:__pomp_task4]] = POMP_Get_task(); POMP_Taskwait_enter({{.*}} POMP_Set_task([[CHILD]]);
// CHECK: POMP_Set_task([[OWN]]); POMP_Task_exit(
// CHECK-NEXT: { POMP_Taskyield_enter({{.*}} POMP_Set_task([[OWN]]); POMP_Taskyield_exit(
// CHECK-NEXT: POMP_Set_task([[OWN]]); POMP_Taskgroup_exit(
// CHECK: { void *__pomp_made{{.*}} = (POMP_Task_enter({{.*}} _Pragma("omp task untied firstprivate(sum) firstprivate(__pomp_made{{[0-9]+}})") { POMP_Set_creation({{.*}}), POMP_Task_begin(
// CHECK: POMP_Set_task([[OWN]]); POMP_Task_exit(
// CHECK: { void *[[TEAM:__pomp_task11]] = POMP_Get_task(); POMP_Taskwait_enter({{.*}} POMP_Set_task([[TEAM]]);
