// Directives that hold for a stretch of declarations do not hold for what is inserted.
// REQUIRES: clang, gcc
// RUN: rm -rf %t.dir
// RUN: %pomp --pomp-strict -- %clangxx -fopenmp -Wall -Wextra -Werror %s -o %t.clang
// RUN: %pomp --pomp-strict -- %gxx -fopenmp -Wall -Wextra -Werror %s -o %t.gcc
// RUN: env POMP_EXPERIMENT_DIR=%t.dir/clang %t.clang
// RUN: env POMP_EXPERIMENT_DIR=%t.dir/gcc %t.gcc
// RUN: %pomp report --all %t.dir/clang | FileCheck %s
// RUN: %pomp report --all %t.dir/gcc | FileCheck %s
#pragma pack(push, 1)
#pragma GCC visibility push(hidden)
struct tight {
  char c;
  int i;
};
#pragma GCC visibility pop
#pragma pack(pop)
int main() {
  int n = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp critical(tight)
    n += static_cast<int>(sizeof(tight));
  }
  return n != 10;
}
// CHECK: critical (tight)
