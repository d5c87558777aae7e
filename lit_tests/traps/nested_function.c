// gcc's nested functions are an error to libclang: a construct in one is measured if it is read
// without the function's parameters, else named.
// REQUIRES: gcc, clang
// RUN: %pomp -- %gcc -fopenmp -Wall %s -o %t.exe 2>%t.err
// RUN: FileCheck --check-prefix=ERR %s <%t.err
// RUN: env OMP_NUM_THREADS=2 POMP_EXPERIMENT_DIR=%t.dir %t.exe | FileCheck %s
// RUN: %pomp report --all %t.dir | FileCheck --check-prefix=REPORT %s
// RUN: sh -c "%pomp -- %clang -fopenmp -c %s -o %t.o 2>%t.theirs; test $? = 1"
// RUN: FileCheck --check-prefix=THEIRS --implicit-check-not=pomp- %s <%t.theirs
#include <stdio.h>
int outer(int n) {
  int sum = 0;
  void add(int by) {
#pragma omp atomic
    sum += by;
  }
  void finish(void) {
#pragma omp critical
    sum++;
  }
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    add(i);
  finish();
  return sum;
}
int main(void) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 10; i++)
    sum += i;
  printf("%d %d\n", outer(10), sum);
}
// CHECK: 46 45
// ERR: nested_function.c:14: warning: 'atomic' is not measured: libclang finds an error in the function (line 15: {{.*}}) [pomp-parse]
// ERR-NOT: warning
// REPORT: 3 regions: 1 critical, 2 parallel for
// THEIRS: nested_function.c:13:20: error: function definition is not allowed here
