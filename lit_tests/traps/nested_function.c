// gcc's nested functions are an error to libclang, which leaves out what stands in them: that is
// named, the other constructs are measured.
// REQUIRES: gcc, clang
// RUN: %pomp -- %gcc -fopenmp -Wall %s -o %t.exe 2>%t.err
// RUN: FileCheck --check-prefix=ERR %s <%t.err
// RUN: env OMP_NUM_THREADS=2 POMP_EXPERIMENT_DIR=%t.dir %t.exe | FileCheck %s
// RUN: %pomp report %t.dir | FileCheck --check-prefix=REPORT %s
// RUN: sh -c "%pomp -- %clang -fopenmp -c %s -o %t.o 2>%t.theirs; test $? = 1"
// RUN: FileCheck --check-prefix=THEIRS --implicit-check-not=pomp- %s <%t.theirs
#include <stdio.h>
int outer(int n) {
  int sum = 0;
  void add(int by) {
#pragma omp atomic
    sum += by;
  }
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    add(i);
  return sum;
}
int main(void) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 10; i++)
    sum += i;
  printf("%d %d\n", outer(10), sum);
}
// CHECK: 45 45
// ERR: nested_function.c:14: warning: 'atomic' is not measured: libclang finds an error in the function (line 13: {{.*}}) [pomp-parse]
// ERR-NOT: warning
// REPORT: 2 regions: 2 parallel for
// THEIRS: nested_function.c:13:20: error: function definition is not allowed here
