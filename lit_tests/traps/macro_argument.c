// A directive in the argument of a macro that makes directives itself is expanded with it.
// REQUIRES: clang, gcc
// RUN: %pomp --pomp-strict -- %clang -fopenmp -Wall -Werror %s -o %t.exe
// RUN: rm -rf %t.1 && env POMP_EXPERIMENT_DIR=%t.1 %t.exe && %pomp report --all %t.1 | FileCheck %s
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wall -Werror %s -o %t.exe
// RUN: rm -rf %t.2 && env POMP_EXPERIMENT_DIR=%t.2 %t.exe && %pomp report --all %t.2 | FileCheck %s
#define BRACED(text) { text }
#define PARALLEL(body) BRACED(_Pragma("omp parallel for ordered") body)
int main(void) {
  int sum = 0;
  PARALLEL(for (int i = 0; i < 10; i++) {
    _Pragma("omp ordered")
    sum += i;
    _Pragma("omp atomic") sum++;
  })
  return sum != 55;
}
// CHECK: 3 regions: 1 atomic, 1 ordered, 1 parallel for
