// noinstrument and instrument (POMP paper, section 3.7), at file scope too.
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: %pomp list %s -- %clang -fopenmp | FileCheck --check-prefix=LIST %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -c %s -o %t.o
int n;
#pragma pomp noinstrument
void f(void) {
#pragma omp critical
  n++;
}
#pragma omp instrument
void g(void) {
#pragma omp critical
  n++;
#pragma omp noinstrument
#pragma omp critical
  n++;
}
// CHECK: void f(void) {
// CHECK-NEXT: #pragma omp critical
// CHECK: void g(void) {
// CHECK-NEXT: POMP_Critical_enter(__pomp_rd1())
// CHECK: #pragma omp critical
// CHECK-NEXT: n++;
// CHECK-NEXT: {{^}}}
// LIST: selection.c:10-11 {{ *}}critical {{ *}}noinstrument
// LIST: selection.c:15-16 {{ *}}critical {{ *}}instrumented
// LIST: selection.c:18-19 {{ *}}critical {{ *}}noinstrument
