// Kernels of Kokkos: a user region for each label, around the construct of an installed header, whose
// own warnings stay silent.
// REQUIRES: clang, gcc
// DEFINE: %{flags} = -fopenmp -std=c++17 -O1 -Wall -Wextra -Wpedantic -Werror
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %pomp --pomp-strict -- %clangxx %{flags} -isystem %S/Inputs/include %s -o program 2>err
// RUN: test ! -s err
// RUN: env POMP_EXPERIMENT_DIR=%t/1 ./program | FileCheck --check-prefix=OUT %s
// RUN: %pomp report --section callpaths 1 | FileCheck %s
// RUN: %pomp report --format json 1 | FileCheck --check-prefix=JSON %s
// RUN: %pomp --pomp-strict -- %gxx %{flags} -isystem%S/Inputs/include %s -o program 2>err
// RUN: test ! -s err
// RUN: env POMP_EXPERIMENT_DIR=%t/2 ./program | FileCheck --check-prefix=OUT %s
// RUN: %pomp report --section callpaths 2 | FileCheck %s
// The user's tool stays the tool, and a library that is part of the program cannot be loaded.
// RUN: env POMP_EXPERIMENT_DIR=%t/3 KOKKOS_TOOLS_LIBS=none ./program | FileCheck --check-prefix=NONE %s
// RUN: %pomp --pomp-strict --pomp-runtime=static -- %clangxx %{flags} -isystem %S/Inputs/include %s -o static
// RUN: env POMP_EXPERIMENT_DIR=%t/4 ./static | FileCheck --check-prefix=NONE %s
// RUN: %pomp report --section callpaths 4 | FileCheck --check-prefix=STATIC %s
#include <OpenMP/Kokkos_OpenMP_Parallel_For.hpp>

struct Fill {
  int *values;
  void operator()(int i) const { values[i] = i; }
};

int main() {
  static int values[4];
  Kokkos::push("solve");
  for (int turn = 0; turn < 3; turn++)
    Kokkos::parallel_for("axpby", 4, [](int i) { values[i] += 2 * i; });
  Kokkos::parallel_for("one \"late\"", 4, [](int i) {
    for (volatile int wait = 0; i == 0 && wait < 30000000; wait = wait + 1)
      ;
  });
  Kokkos::pop();
  Kokkos::parallel_for(nullptr, 4, Fill{values});
  Kokkos::pop();
  std::printf("%d\n", values[3]);
}
// OUT: {{^}}3
// NONE: no tool
// CHECK: region Fill{{ +}}1
// CHECK-NEXT: parallel for {{.*}}Kokkos_OpenMP_Parallel_For.hpp:44-46
// CHECK-NEXT: region solve{{ +}}1
// CHECK-NEXT: region axpby{{ +}}3
// CHECK-NEXT: parallel for {{.*}}Kokkos_OpenMP_Parallel_For.hpp:44-46
// CHECK-NEXT: region one "late"{{ +}}1
// CHECK-NEXT: parallel for {{.*}}Kokkos_OpenMP_Parallel_For.hpp:44-46
// JSON: "kernels": [
// JSON: "label": "one \"late\"",
// STATIC-NOT: region
// STATIC: parallel for {{.*}}Kokkos_OpenMP_Parallel_For.hpp:44-46
