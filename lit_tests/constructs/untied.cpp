// Within an untied task a lambda, or a member of a class there, is a function of its own, and so
// is what a metadirective makes of a block if that may be a task.
// REQUIRES: clang, gcc
// RUN: %rewrite_cxx | FileCheck %s
// RUN: %pomp --pomp-strict -- %clangxx -O2 -fopenmp -Wall -Wextra -Wshadow -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gxx -fopenmp -Wall -Wextra -Wshadow -Werror -c %s -o %t.o
template <typename T> void f(T n) {
#pragma omp task untied firstprivate(n)
  {
    auto wait = [] {
#pragma omp taskwait
    };
    struct Yield {
      static void now() {
#pragma omp taskyield
      }
    };
#pragma omp critical
    if (n > 0) {
#pragma omp taskwait
      wait();
      Yield::now();
    }
#ifdef __clang__
#pragma omp metadirective when(user = {condition(true)} : taskgroup) otherwise(critical)
    {
#pragma omp taskyield
      n++;
    }
#pragma omp metadirective when(user = {condition(false)} : task) otherwise(critical)
    {
#pragma omp taskyield
      n++;
    }
#endif
  }
}
template void f<int>(int);
// CHECK: _Pragma("omp task untied firstprivate(n) firstprivate([[M:__pomp_made1]])") { void *[[OWN:__pomp_self1]] = (POMP_Set_creation([[M]]), POMP_Task_begin(
// CHECK: { void *[[W:__pomp_task2]] = POMP_Get_task(); POMP_Taskwait_enter({{.*}} POMP_Set_task([[W]]);
// CHECK: { void *[[Y:__pomp_task3]] = POMP_Get_task(); POMP_Taskyield_enter({{.*}} POMP_Set_task([[Y]]);
// CHECK: POMP_Critical_enter(
// CHECK: { POMP_Taskwait_enter({{.*}} POMP_Set_task([[OWN]]);
// CHECK: { POMP_Metadirective_enter(
// CHECK: { POMP_Taskyield_enter({{.*}} POMP_Set_task([[OWN]]);
// CHECK: POMP_Set_task([[OWN]]); POMP_Metadirective_exit(
// CHECK: { POMP_Metadirective_enter(
// CHECK: { void *[[T:__pomp_task9]] = POMP_Get_task(); POMP_Taskyield_enter({{.*}} POMP_Set_task([[T]]);
// CHECK: POMP_Set_task([[OWN]]); POMP_Metadirective_exit(
