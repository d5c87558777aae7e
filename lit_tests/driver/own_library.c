// Anybody's library that defines POMP functions takes the place of ours; what it leaves out is
// completed by the null library.
// REQUIRES: clang, gcc
// RUN: %clang -c %S/Inputs/own_library.c -o %t.own.o
// RUN: %pomp --pomp-library=%t.own.o -- %clang -fopenmp %s -o %t
// RUN: %t 2>&1 | FileCheck %s
// RUN: %pomp --pomp-library=%t.own.o -- %gcc -fopenmp %s -o %t
// RUN: %t 2>&1 | FileCheck %s
// RUN: %pomp --pomp-library=log -- %clang -fopenmp %s -o %t
// RUN: %t 2>&1 | FileCheck --check-prefix=LOG %s
// RUN: %pomp --pomp-library=null -- %clang -fopenmp %s -o %t
// RUN: %t 2>&1 | FileCheck --check-prefix=NULL --allow-empty %s
int main(void) {
#pragma omp critical(here)
  {
  }
#pragma omp barrier
  return 0;
}
// CHECK: mine: critical here at line 14
// CHECK-NOT: {{.}}
// LOG: 0 Critical_enter critical(here) {{.*}}own_library.c:14
// LOG-NEXT: 0 Critical_begin critical(here) {{.*}}own_library.c:14
// LOG-NEXT: 0 Critical_end critical(here) {{.*}}own_library.c:14
// LOG-NEXT: 0 Critical_exit critical(here) {{.*}}own_library.c:14
// LOG-NEXT: 0 Barrier_enter barrier() {{.*}}own_library.c:17
// LOG-NEXT: 0 Barrier_exit barrier() {{.*}}own_library.c:17
// NULL-NOT: {{.}}
