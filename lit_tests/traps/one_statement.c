// After if, else, a label and case, the inserted text is one statement.
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -c %s -o %t.o
int f(int n) {
  if (n)
#pragma omp critical
    n++;
  else
#pragma omp atomic
    n--;
  if (n > 100) goto done;
  switch (n) {
  case 1:
#pragma omp master
    n += 10;
    break;
  default:
    break;
  }
done:
#pragma omp critical(last)
  do
    n++;
  while (n < 3);
  return n;
}
// CHECK: if (n)
// CHECK-NEXT: {{^}}{ POMP_Critical_enter({{.*}}{
// CHECK-NEXT: n++; ; POMP_Critical_end({{.*}}; }{{$}}
// CHECK-NEXT: else
// CHECK-NEXT: {{^}}{ POMP_Atomic_enter({{.*}}
// CHECK-NEXT: n--; ; POMP_Atomic_exit({{.*}}; }{{$}}
// CHECK: case 1:
// CHECK-NEXT: {{^}}{ _Pragma("omp master") {
// CHECK-NEXT: n += 10; ; POMP_Master_end({{.*}}; } }
// CHECK: done:
// CHECK-NEXT: {{^}}{ POMP_Critical_enter
// CHECK-NEXT: do
// CHECK-NEXT: n++;
// CHECK-NEXT: while (n < 3); ; POMP_Critical_end
