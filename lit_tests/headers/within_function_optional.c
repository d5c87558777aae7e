// A directive that only some inclusions of a header have, before a block that all have; another
// directive in its place.
// REQUIRES: clang, gcc
// DEFINE: %{flags} = -fopenmp -Wall -Wextra -Wundef -Werror
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %pomp --pomp-strict -- %clang -O1 %{flags} %s -o program 2>err
// RUN: test ! -s err
// RUN: env POMP_EXPERIMENT_DIR=%t/1 ./program | FileCheck --check-prefix=OUT %s
// RUN: %pomp report --all 1 | FileCheck %s
// RUN: %pomp --pomp-strict -- %gcc -O1 %{flags} %s -o program 2>err
// RUN: test ! -s err
// RUN: env POMP_EXPERIMENT_DIR=%t/2 ./program | FileCheck --check-prefix=OUT %s
// RUN: %pomp report --all 2 | FileCheck %s
// RUN: %pomp --pomp-strict -- %clangxx -x c++ -g -O1 %{flags} %s -o program 2>err
// RUN: test ! -s err
// RUN: env POMP_EXPERIMENT_DIR=%t/3 ./program | FileCheck --check-prefix=OUT %s
// RUN: %pomp report --all 3 | FileCheck %s
// RUN: %pomp --pomp-strict -- %gxx -x c++ -g %{flags} %s -o program 2>err
// RUN: test ! -s err
// RUN: env POMP_EXPERIMENT_DIR=%t/4 ./program | FileCheck --check-prefix=OUT %s
// RUN: %pomp report --all 4 | FileCheck %s
// RUN: %pomp --pomp-strict --pomp-included=once -- %gcc -O1 %{flags} %s -o program
// RUN: env POMP_EXPERIMENT_DIR=%t/5 ./program | FileCheck --check-prefix=OUT %s
// RUN: %pomp report --all 5 | FileCheck --check-prefix=ONCE %s
// RUN: %pomp rewrite %s --header %S/Inputs/optional.inc -- %clang -fopenmp | FileCheck --check-prefix=TEXT %s
#include <stdio.h>
#define MOST(a, b) ((a) > (b) ? (a) : (b))
#define SCHEDULE static, 1
int main(void) {
  long sum = 0;
  int last[20] = {0};
#define STEPS 10
#define PARALLEL 0
#define REDUCES 1
#include "Inputs/optional.inc"
#undef PARALLEL
#undef STEPS
#undef REDUCES
#define PARALLEL 1
#define STEPS 20
#define REDUCES 0
#include "Inputs/optional.inc"
#undef REDUCES
#define REDUCES 1
#include "Inputs/optional.inc"
#undef PARALLEL
#define PARALLEL 0
#include "Inputs/optional.inc"
  printf("%ld %d %d\n", sum, last[0], __LINE__);
  return 0;
}
// OUT: 665 1 [[#@LINE - 3]]
// CHECK: 6 regions: 6 parallel for
// CHECK-DAG: parallel for {{.*}}optional.inc:2-7 (from within_function_optional.c:42) 2
// CHECK-DAG: parallel for {{.*}}optional.inc:2-7 (from within_function_optional.c:45) 2
// CHECK-DAG: parallel for {{.*}}optional.inc:9-17 (from within_function_optional.c:35) 2
// CHECK-DAG: parallel for {{.*}}optional.inc:11-17 (from within_function_optional.c:42) 2
// CHECK-DAG: parallel for {{.*}}optional.inc:9-17 (from within_function_optional.c:45) 2
// CHECK-DAG: parallel for {{.*}}optional.inc:9-17 (from within_function_optional.c:48) 2
// ONCE: 3 regions: 3 parallel for
// ONCE-DAG: parallel for {{.*}}optional.inc:2-7 4
// ONCE-DAG: parallel for {{.*}}optional.inc:9-17 6
// ONCE-DAG: parallel for {{.*}}optional.inc:11-17 2
// TEXT: {{^}}#if PARALLEL
// TEXT-NEXT: {{^}}#define [[WORD:__pomp_wrap[0-9a-f]+_[0-9]+]] _keep{{$}}
// TEXT-EMPTY:
// TEXT-NEXT: {{^}}#endif
// TEXT-NEXT: {{^}}__pomp_if([[WORD]],{ {{.*}}) for (int i = 0; i < STEPS; i++) {
// TEXT-NEXT: {{^}}  sum += i;
// TEXT-NEXT: {{^}}} __pomp_if([[WORD]],{{.*}} })
