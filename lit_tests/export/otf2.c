// A trace for other tools: OTF2's own reads it.
// REQUIRES: clang, otf2-print
// RUN: rm -rf %t.exp %t.otf2
// RUN: %pomp -- %clang -fopenmp %s -o %t
// RUN: env POMP_TRACE=1 POMP_EXPERIMENT_DIR=%t.exp %t
// RUN: %pomp export %t.exp --to otf2 -o %t.otf2 | FileCheck --check-prefix=SAID %s
// RUN: otf2-print -L 0 %t.otf2/traces.otf2 | FileCheck %s
// RUN: not %pomp export %t.exp --to otf2 -o %t.otf2 2>&1 | FileCheck --check-prefix=THERE %s
// RUN: not %pomp export %t --to otf2 -o %t.other 2>&1 | FileCheck --check-prefix=FOREIGN %s
// RUN: not ls %t.other
int main(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp for
    for (int i = 0; i < 4; i++)
      ;
  }
}
// SAID: .otf2: {{[0-9]+}} events
// CHECK: THREAD_FORK {{.*}}# Requested Threads: 2
// CHECK-NEXT: THREAD_TEAM_BEGIN
// CHECK-NEXT: ENTER {{.*}}"!$omp parallel @otf2.c:12"
// CHECK-NEXT: ENTER {{.*}}"!$omp for @otf2.c:14"
// CHECK-NEXT: ENTER {{.*}}"!$omp implicit barrier @otf2.c:16"
// CHECK-NEXT: LEAVE {{.*}}"!$omp implicit barrier @otf2.c:16"
// CHECK-NEXT: LEAVE {{.*}}"!$omp for @otf2.c:14"
// CHECK: LEAVE {{.*}}"!$omp parallel @otf2.c:12"
// CHECK-NEXT: THREAD_TEAM_END
// CHECK-NEXT: THREAD_JOIN
// THERE: pomp-clang: {{.*}}.otf2: is there already: remove it or name another with -o
// FOREIGN: pomp-clang: {{.*}}: is not an experiment of pomp-clang
