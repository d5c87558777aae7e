// With the null library nothing is called where nothing is inlined, either.
// REQUIRES: clang, gcc
// RUN: %pomp --pomp-library=null -- %clang -fopenmp -c %s -o %t.o
// RUN: nm -u %t.o | FileCheck --check-prefix=CLANG --implicit-check-not=POMP_ %s
// RUN: %pomp --pomp-library=null -- %gcc -fopenmp -c %s -o %t.o
// RUN: nm -u %t.o | FileCheck --check-prefix=GCC --implicit-check-not=POMP_ %s
void f(int *n) {
#pragma omp parallel
  {
#pragma omp atomic
    ++*n;
  }
}
// CLANG: __kmpc_fork_call
// GCC: GOMP_parallel
