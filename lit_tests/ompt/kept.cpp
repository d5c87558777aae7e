// Where no nowait may stand, the runtime tells of the barrier all the same; in a combined construct it is
// not told from those of what stands inside.
// REQUIRES: clang
// RUN: %pomp rewrite --pomp-barriers=ompt %s -- %clangxx -fopenmp | sed -e '\,^ *//,d' | FileCheck %s
// RUN: %pomp rewrite %s -- %clangxx -fopenmp | sed -e '\,^ *//,d' | FileCheck --check-prefix=EXPLICIT %s
void f(int *a) {
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
}
// CHECK: "parallel", {{.*}} sizeof(struct __pomp_descriptor), 32, {{.*}} "single", {{.*}}, 32, {{.*}} "for", {{.*}}, 32, {{.*}} "cancel", {{.*}} "parallel for", {{.*}} sizeof(struct __pomp_descriptor), 33,
// EXPLICIT: "parallel", {{.*}} sizeof(struct __pomp_descriptor), 0, {{.*}} "single", {{.*}}, 1, {{.*}} "for", {{.*}}, 1, {{.*}} "cancel", {{.*}} "parallel for", {{.*}} sizeof(struct __pomp_descriptor), 1,
// CHECK: _Pragma("omp single copyprivate(x)")
// CHECK: _Pragma("omp for")
// CHECK: _Pragma("omp for")
