// A scan that clang computes rightly in one directive only is counted wherever it stands: in a
// template, from a macro, in one statement, with critical inside, and in a team of its own.
// REQUIRES: clang, gcc
// RUN: %pomp --pomp-strict -- %clangxx -fopenmp -O2 -Wall -Wextra -Werror %s -o %t.exe
// RUN: env OMP_NUM_THREADS=3 POMP_EXPERIMENT_DIR=%t.dir %t.exe | FileCheck %s
// RUN: %pomp report --all %t.dir | FileCheck --check-prefix=WHOLE %s
// RUN: %pomp --pomp-strict --pomp-barriers=ompt -- %clangxx -fopenmp %s -o %t.exe
// RUN: env OMP_NUM_THREADS=3 POMP_EXPERIMENT_DIR=%t.ompt %t.exe | FileCheck %s
// RUN: %pomp report --all %t.ompt | FileCheck --check-prefix=WHOLE %s
// RUN: %pomp --pomp-strict -- %gxx -fopenmp -O2 -Wall -Wextra -Werror %s -o %t.exe
// RUN: env OMP_NUM_THREADS=3 POMP_EXPERIMENT_DIR=%t.gcc %t.exe | FileCheck %s
// RUN: %pomp report --all %t.gcc | FileCheck --check-prefix=SPLIT %s
#include <cstdio>
#define SCAN(of) _Pragma("omp parallel for reduction(inscan, + : sum)") \
  for (int i = 0; i < of; i++) {                                        \
    sum += 1;                                                           \
    _Pragma("omp scan inclusive(sum)") part[i] = sum;                   \
  }
static int part[60];
template <class T> static T summed(T sum) {
#pragma omp parallel for simd reduction(inscan, + : sum)
  for (int i = 0; i < 60; i++) {
    part[i] = static_cast<int>(sum);
#pragma omp scan exclusive(sum)
    sum += 2;
  }
  return sum;
}
static int locked(void) {
  int sum = 0, visits = 0;
#pragma omp parallel for reduction(inscan, + : sum) default(none) shared(part, visits)
  for (int i = 0; i < 60; i++) {
    sum += 3;
#pragma omp scan inclusive(sum)
    {
      part[i] = sum;
#pragma omp critical
      visits++;
    }
  }
  return sum + visits;
}
static int chosen(bool scans) {
  int sum = 0;
  if (scans)
    SCAN(60)
  else
    sum = -1;
  return sum;
}
int main() {
  int nested = 0;
#pragma omp parallel num_threads(2) reduction(+ : nested)
  nested += chosen(true);
  std::printf("%d %.0f %d %d %d\n", summed(0), summed(0.0), locked(), chosen(false), nested);
}
// CHECK: 120 120 240 -1 120
// WHOLE-DAG: parallel for simd scan.cpp:21-26 2
// WHOLE-DAG: parallel for scan.cpp:31-40 1
// WHOLE-DAG: critical (unnamed) scan.cpp:37-38 60
// WHOLE-DAG: parallel for scan.cpp:46 2
// WHOLE-DAG: parallel scan.cpp:53-54 2
// SPLIT-DAG: parallel for simd scan.cpp:21-26 6
// SPLIT-DAG: parallel for scan.cpp:31-40 3
// SPLIT-DAG: critical (unnamed) scan.cpp:37-38 60
// SPLIT-DAG: parallel for scan.cpp:46 2
// SPLIT-DAG: parallel scan.cpp:53-54 2
