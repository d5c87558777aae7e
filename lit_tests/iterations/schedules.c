// A first run selects the loop, a second one records its iterations, and its schedules are predicted
// and tried.
// REQUIRES: clang, gcc
// RUN: rm -rf %t.first %t.gcc %t.clang && mkdir -p %t.d
// RUN: %pomp -- %gcc -fopenmp -O1 %s -o %t
// RUN: env OMP_NUM_THREADS=2 POMP_EXPERIMENT_DIR=%t.first %t
// RUN: %pomp schedules %t.first --filter %t.filter --runtime-schedule
// RUN: FileCheck --check-prefix=FILTER %s < %t.filter
// RUN: not %pomp schedules %t.first 2>&1 | FileCheck --check-prefix=NOTHING %s
// RUN: %pomp --pomp-filter=%t.filter -- %gcc -fopenmp -O1 %s -o %t
// RUN: env OMP_NUM_THREADS=2 OMP_SCHEDULE=static POMP_EXPERIMENT_DIR=%t.gcc %t
// RUN: %pomp schedules %t.gcc --threads 1 | FileCheck %s
// RUN: %pomp try %t.gcc --schedule static --schedule dynamic,2 --repeats 1 -- %t | FileCheck --check-prefix=TRIED %s
// RUN: %pomp --pomp-filter=%t.filter -- %clang -fopenmp -O1 %s -o %t
// RUN: env OMP_NUM_THREADS=2 OMP_SCHEDULE=static POMP_EXPERIMENT_DIR=%t.clang %t
// RUN: %pomp schedules %t.clang --threads 1 | FileCheck %s
// RUN: %pomp schedules %t.clang --format json | FileCheck --check-prefix=JSON %s
// RUN: not %pomp try %t.clang -- %t.nowhere 2>&1 | FileCheck --check-prefix=NOWHERE %s
// RUN: not %pomp try %t.clang --region R00099 -- %t 2>&1 | FileCheck --check-prefix=REGION %s
#include <stdio.h>
int main(void) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static)
  for (int i = 0; i < 64; i++)
    for (int k = 0; k < (i < 32 ? 1 : 300000); k++)
      sum += 1.0 / (1 + k);
  printf("%.0f\n", sum);
  return 0;
}
// FILTER: {{^}}  ITERATIONS construct=parallel_for file={{.*}}schedules.c lines=23  # threads wait {{[0-9.]+}} % of all their time
// FILTER-NEXT: {{^}}  RUNTIME_SCHEDULE construct=parallel_for file={{.*}}schedules.c lines=23{{$}}
// NOTHING: schedules.c.tmp.first: no iterations were recorded: write a filter with
// CHECK: R00001  parallel for  schedules.c:23-26
// CHECK-NEXT: schedule({{[a-z]+, [0-9]+}}) would take {{.*}} instead of {{.*}} (-{{[0-9]+}} %);
// CHECK-NEXT: 2 threads, 1 execution (1 recorded) of 64 iterations
// CHECK: as recorded
// CHECK: with 1 thread: static
// TRIED: R00001  parallel for
// TRIED-NEXT: 2 threads, median of 1 run each
// TRIED-NEXT: schedule    predicted
// TRIED-DAG: {{^}}  static
// TRIED-DAG: {{^}}  dynamic,2
// TRIED: fastest: schedule(
// JSON: "current": null
// JSON: "costs"
// NOWHERE: schedules.c.tmp.nowhere: No such file or directory: name the instrumented program
// REGION: no iterations of R00099 were recorded: name one of R00001
