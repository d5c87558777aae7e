// --pomp-functions=auto: what is worth its events is measured, in all that it costs, and exactly.
// REQUIRES: clang
// RUN: %pomp list --pomp-functions=auto %s -- %clangxx -fopenmp -O2 | FileCheck --match-full-lines %s
// RUN: %pomp list --pomp-functions %s -- %clangxx -fopenmp -O2 | FileCheck --match-full-lines %s
// RUN: rm -rf %t.exp && %pomp --pomp-functions -- %clangxx -fopenmp -O2 %s -o %t
// RUN: env POMP_EXPERIMENT_DIR=%t.exp OMP_NUM_THREADS=2 %t
// RUN: %pomp report --format csv %t.exp | FileCheck --check-prefix=RAN %s
// RUN: not %pomp --pomp-functions=some -- %clangxx -fopenmp %s -o %t 2>&1 | FileCheck --check-prefix=WRONG %s
struct Sum {
  double of = 0;
  void add(double x) { of += x; }
};
__attribute__((noinline)) double small(double x) { return x * x + 1; }
__attribute__((noinline)) double series(int n) {
  Sum sum;
  for (int i = 4; i < n; ++i) sum.add(small(i) / i + i / (i - 1.) / (i - 2.) / (i - 3.) * n / (n - .5) / (i + .5) / (i + .7));
  return sum.of;
}
double all(int n) {
  double total = 0;
#pragma omp parallel for reduction(+ : total)
  for (int i = 0; i < 8; ++i) total += series(n);
  return total;
}
int main() { return all(1000) > 0 ? 0 : 1; }
// CHECK: {{.*}}auto.cpp:11 {{ *}}function Sum::add {{ *}}disabled: auto: inlined, {{.*}} a call
// CHECK: {{.*}}auto.cpp:13 {{ *}}function small {{ *}}disabled: auto: no loop, {{.*}} ns a call
// CHECK: {{.*}}auto.cpp:14-18 {{ *}}function series {{ *}}instrumented: auto: {{.*}} a call
// CHECK: {{.*}}auto.cpp:19-24 {{ *}}function all {{ *}}instrumented: auto: has 'parallel for', {{.*}} a call
// CHECK: {{.*}}auto.cpp:25 {{ *}}function main {{ *}}instrumented: auto: the program begins here, {{.*}} a call
// RAN: series
// RAN-NOT: small
// WRONG: --pomp-functions is auto or all or none, not 'some'
