// The text of a header that is included within functions counts its inclusions only for regions of
// each.
// REQUIRES: clang
// RUN: %pomp rewrite %s --header %S/Inputs/reduction.inc -- %clang -fopenmp | FileCheck --check-prefix=EACH %s
// RUN: %pomp rewrite --pomp-included=once %s --header %S/Inputs/reduction.inc -- %clang -fopenmp | FileCheck --check-prefix=ONCE %s
int first(int n) {
  int sum = 0;
#include "Inputs/reduction.inc"
  return sum;
}
int second(int n) {
  int sum = 0;
#include "Inputs/reduction.inc"
  return sum;
}
// EACH: POMP_Parallel_fork(__pomp_rd{{.*}}(__pomp_inclusion_
// ONCE: POMP_Parallel_fork(__pomp_rd{{[0-9a-f]+_[0-9]+}}())
