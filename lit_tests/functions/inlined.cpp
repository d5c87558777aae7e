// Both events are inlined, with no line but the function's own.
// REQUIRES: clang
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.cpp
// RUN: %pomp --pomp-functions=all -- %clangxx -fopenmp -O2 -g -S -emit-llvm app.cpp -o - | FileCheck %s
static volatile int sink;
void work(int i) { sink = i; }
// CHECK: define {{.*}}@_Z4worki
// CHECK: rdtsc
// CHECK: rdtsc
// CHECK-NOT: @{{.*}}__pomp_leave
// CHECK: ret void
// CHECK-NOT: !DISubprogram(name: "__pomp_leave
