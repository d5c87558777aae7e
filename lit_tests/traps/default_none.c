// default(none): no variable is named inside, and what the split needs is shared outside.
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -c %s -o %t.o
int f(const int *a, int n) {
  int s = 0, last = 0, fp = 3, hits[4] = {0};
#pragma omp parallel for default(none) shared(a, n) reduction(+ : s, hits[0 : 4]) lastprivate(last) firstprivate(fp) num_threads(2)
  for (int i = 0; i < n; i++) {
    s += last = a[i] + fp;
    hits[i & 3]++;
  }
  return s + last + hits[0];
}
int g(void) {
  int s = 0, i, j;
#pragma omp parallel for simd default(none) reduction(+ : s) collapse(2)
  for (i = 0; i < 4; i++)
    for (j = 0; j < 4; j++)
      s += i * j;
  return s + i + j;
}
int h(void) {
  int s = 0, x = 1;
#pragma omp parallel for default(none) private(x) allocate(x) reduction(task, + : s) allocate(s)
  for (int i = 0; i < 4; i++)
    s += x = i;
  return s + x;
}
int k(void) {
  int i, a[4];
#pragma omp parallel loop default(none) shared(a)
  for (i = 0; i < 4; i++)
    a[i] = i;
  return a[0] + i;
}
// CHECK: _Pragma("omp parallel default(none) shared(a, n) num_threads(2) shared(s, hits, last, fp) firstprivate(__pomp_team1)")
// CHECK-SAME: _Pragma("omp for reduction(+ : s, hits[0 : 4]) lastprivate(last) firstprivate(fp) nowait")
// CHECK: _Pragma("omp parallel default(none) shared(s, i, j) firstprivate(__pomp_team2)")
// CHECK-SAME: _Pragma("omp for simd reduction(+ : s) collapse(2) nowait")
// CHECK: _Pragma("omp parallel default(none) reduction(task, + : s) allocate(s) shared(x) firstprivate(__pomp_team3)")
// CHECK-SAME: _Pragma("omp for private(x) allocate(x) nowait")
// CHECK: _Pragma("omp parallel default(none) shared(a) shared(i) firstprivate(__pomp_team4)") {{.*}}_Pragma("omp loop")
