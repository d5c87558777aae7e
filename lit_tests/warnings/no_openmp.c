/*
A program that is made without -fopenmp is measured in nothing: one line says so.
REQUIRES: clang
RUN: %pomp -- %clang %s -o %t 2>&1 | FileCheck %s
RUN: %pomp -- %clang -c %s -o %t.o 2>&1 | FileCheck --allow-empty --check-prefix=SILENT %s
RUN: %pomp -- %clang -fno-openmp %s -o %t 2>&1 | FileCheck --allow-empty --check-prefix=SILENT %s
RUN: %pomp -- %clang -fopenmp %s -o %t 2>&1 | FileCheck --allow-empty --check-prefix=SILENT %s
CHECK: no_openmp.c: note: OpenMP directives are ignored without -fopenmp; nothing of the program is measured; add -fopenmp [pomp-no-openmp]
CHECK-NOT: {{.}}
SILENT-NOT: {{.}}
*/
int main(void) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 9; i++)
    sum += i;
  return sum != 36;
}
