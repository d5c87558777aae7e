// The event of an iteration stands at the head of the loop's body, in loops that a filter selects.
// REQUIRES: clang, gcc
// RUN: echo 'POMP_RULES_BEGIN' > %t.filter
// RUN: echo 'ITERATIONS function=main' >> %t.filter
// RUN: echo 'RUNTIME_SCHEDULE function=main lines=24' >> %t.filter
// RUN: echo 'POMP_RULES_END' >> %t.filter
// RUN: %pomp rewrite --pomp-filter=%t.filter %s -- %gxx -fopenmp 2> %t.err | sed -e '\,^ *//,d' | FileCheck --check-prefix=TEXT %s
// RUN: FileCheck --check-prefix=NAMED %s < %t.err
// RUN: %pomp --pomp-filter=%t.filter -- %gxx -fopenmp -Wall -Wextra -Werror %s -o %t.g
// RUN: %pomp --pomp-filter=%t.filter -- %clangxx -fopenmp -O2 -Wall -Wextra -Werror -Wno-pass-failed %s -o %t.c
// RUN: env POMP_EXPERIMENT_DIR=%t.e OMP_NUM_THREADS=2 %t.g
// RUN: env POMP_EXPERIMENT_DIR=%t.f OMP_NUM_THREADS=2 %t.c
#include <vector>
static int other(int n) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; i++)
    sum += i;
  return sum;
}
int main() {
  int sum = 0, i;
  std::vector<int> v(10, 1);
#pragma omp parallel for default(none) reduction(+ : sum) schedule(static, 2)
  for (i = 9; i >= 0; --i)
    if (i % 2)
      sum += i;
    else
      sum -= i;
#pragma omp parallel
  {
#pragma omp for nowait
    for (unsigned long j = 0; j < 10; j++) {
      if (j == 3)
        continue;
#pragma omp atomic
      sum += 1;
    }
#pragma omp for
    for (int k = 0; k < 10; k++)
#pragma omp critical
      sum += k;
#pragma omp for collapse(2)
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 4; b++) {
#pragma omp atomic
        sum += a * b;
      }
#pragma omp for
    for (auto it = v.begin(); it < v.end(); ++it)
#pragma omp atomic
      sum += *it;
#pragma omp for simd
    for (int s = 0; s < 10; s++)
      v[s] = s;
#pragma omp for ordered
    for (int o = 0; o < 10; o++) {
#pragma omp ordered
      sum++;
    }
  }
  return sum + other(10) == 5 + 9 + 45 + 18 + 10 + 10 + 45 ? 0 : 1;
}
// TEXT-NOT: POMP_Iteration(__
// TEXT: int main()
// TEXT: POMP_Iterations_begin([[A:__pomp_rd[0-9]+\(\)]]); _Pragma("omp for reduction(+ : sum) schedule(runtime) nowait")
// TEXT-NEXT: for (i = 9; i >= 0; --i) { POMP_Iteration([[A]], static_cast<long>(i));
// TEXT: sum -= i; } ; POMP_Iterations_end([[A]]); POMP_For_exit([[A]]);
// TEXT: for (unsigned long j = 0; j < 10; j++) { POMP_Iteration([[B:__pomp_rd[0-9]+\(\)]], static_cast<long>(j)); {
// TEXT: for (int k = 0; k < 10; k++) { POMP_Iteration([[C:__pomp_rd[0-9]+\(\)]], static_cast<long>(k));
// TEXT: for (int b = 0; b < 4; b++) { POMP_Iteration([[D:__pomp_rd[0-9]+\(\)]], static_cast<long>(a));
// TEXT-NOT: POMP_Iteration(__
// NAMED: bodies.cpp:49: warning: iterations of 'for' are not recorded: its loop variable is no integer [pomp-iterations]
// NAMED: bodies.cpp:53: warning: iterations of 'for simd' are not recorded: no call may stand in its body [pomp-iterations]
// NAMED: bodies.cpp:56: warning: iterations of 'for' are not recorded: its iterations wait for each other (ordered) [pomp-iterations]
