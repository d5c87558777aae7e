// Where no nowait may stand, the runtime tells of the barrier all the same.  A task reduction is the
// region's: its loop may be nowait.
// REQUIRES: clang
// RUN: %pomp rewrite --pomp-barriers=ompt %s -- %clangxx -fopenmp | sed -e '\,^ *//,d' | FileCheck %s
// RUN: %pomp rewrite --pomp-barriers=explicit %s -- %clangxx -fopenmp | sed -e '\,^ *//,d' | FileCheck --check-prefix=EXPLICIT %s
void f(int *) {
  int x = 0;
#pragma omp parallel firstprivate(x)
  {
#pragma omp single copyprivate(x)
    x = 1;
#pragma omp for
    for (int i = 0; i < 9; i++) {
#pragma omp cancel for
    }
  }
#pragma omp parallel for
  for (int i = 0; i < 9; i++) {
#pragma omp cancel for
  }
#pragma omp parallel for schedule(static) reduction(task, + : x)
  for (int i = 0; i < 9; i++) {
#pragma omp task in_reduction(+ : x)
    x++;
  }
}
// CHECK: "parallel", {{.*}} sizeof(struct __pomp_descriptor), 32, {{.*}} "single", {{.*}}, 32, {{.*}} "for", {{.*}}, 32, {{.*}} "cancel", {{.*}} "parallel for", {{.*}} sizeof(struct __pomp_descriptor), 32, {{.*}} "parallel for", {{.*}} sizeof(struct __pomp_descriptor), 32, {{.*}} "task",
// EXPLICIT: "parallel", {{.*}} sizeof(struct __pomp_descriptor), 0, {{.*}} "single", {{.*}}, 1, {{.*}} "for", {{.*}}, 1, {{.*}} "cancel", {{.*}} "parallel for", {{.*}} sizeof(struct __pomp_descriptor), 1, {{.*}} "parallel for", {{.*}} sizeof(struct __pomp_descriptor), 0, {{.*}} "task",
// CHECK: _Pragma("omp single copyprivate(x)")
// CHECK: _Pragma("omp for")
// CHECK: _Pragma("omp for")
// CHECK: _Pragma("omp parallel reduction(task, + : x) {{.*}} _Pragma("omp for schedule(static) nowait")
