// Functions are measured in units without OpenMP too; what such a unit says to OpenMP is not heeded.
// RUN: rm -rf %t.exp && %pomp --pomp-functions=all -- %clang -O2 -Wall -Wextra -Werror -Wno-unknown-pragmas %s -o %t
// RUN: env POMP_EXPERIMENT_DIR=%t.exp %t && %pomp report --format csv %t.exp | FileCheck --implicit-check-not='{{silent|,critical|,parallel}}' %s
// RUN: %pomp --pomp-functions=all -- %gcc -O2 -Wall -Wextra -Werror -Wno-unknown-pragmas %s -o %t && rm -rf %t.gcc
// RUN: env POMP_EXPERIMENT_DIR=%t.gcc %t && %pomp report --format csv %t.gcc | FileCheck --implicit-check-not='{{silent|,critical|,parallel}}' %s
// RUN: %pomp -- %clang -O2 %s -o %t && rm -rf %t.none && env POMP_EXPERIMENT_DIR=%t.none %t && not ls %t.none
// RUN: %pomp --pomp-functions=auto -- %clang -O2 %s -o %t && rm -rf %t.auto && env POMP_EXPERIMENT_DIR=%t.auto %t
// RUN: %pomp report --format csv %t.auto | FileCheck --check-prefix=AUTO --implicit-check-not=',inner,' %s
#if defined _OPENMP || defined _POMP
#define ASKED_FOR 1
#else
#define ASKED_FOR 0
#endif
static volatile double sink;
static double inner(double x) { return x + 1; }
static double loop(int n) {
  double x = 0;
#pragma omp parallel for
  for (int i = 1; i < n; ++i)
    x = inner(x) / i;
#pragma omp critical
  x += 1;
  return x;
}
#pragma pomp noinstrument
static double silent(double x) { return x * 2; }
#pragma pomp instrument
int main(void) {
  sink = silent(loop(1001));
  return ASKED_FOR;
}
// CHECK: function,{{.*}},inner,inner
// CHECK: SUM,{{.*}},1000
// CHECK: function,{{.*}},loop,loop
// CHECK: function,{{.*}},main,main
// AUTO: function,{{.*}},loop,loop
