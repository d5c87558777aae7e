// Coverage counts all code that the compiler generates, including events: such a unit is compiled
// unchanged, with a warning. The counts are those of the user's program.
// REQUIRES: clang, gcc
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %pomp -- %gcc -fopenmp --coverage -c %s -o gcc.o 2>&1 | FileCheck %s
// RUN: %pomp -- %clang -fopenmp -fprofile-arcs -ftest-coverage -c %s -o clang.o 2>&1 | FileCheck --check-prefix=ARCS %s
// RUN: %pomp -- %clang -fopenmp -fprofile-instr-generate -fcoverage-mapping -c %s -o mapped.o 2>&1 | FileCheck --check-prefix=MAPPED %s
// RUN: not %pomp --pomp-strict -- %gcc -fopenmp --coverage -c %s -o strict.o
// RUN: not ls strict.o
// RUN: nm gcc.o clang.o mapped.o | not grep POMP_
// RUN: %pomp -- %clang -fopenmp -fprofile-instr-generate -c %s -o profiled.o 2>&1 | not grep .
// RUN: nm profiled.o | grep POMP_

// CHECK: {{.*}}coverage.c:1: warning: compiled untouched: --coverage would count instrumented code; build without it to measure [pomp-coverage]
// ARCS: warning: compiled untouched: -fprofile-arcs would count instrumented code; build without it to measure [pomp-coverage]
// MAPPED: warning: compiled untouched: -fcoverage-mapping would count instrumented code; build without it to measure [pomp-coverage]
int count(void) {
  int sum = 0;
#pragma omp parallel reduction(+ : sum)
  sum++;
  return sum;
}
