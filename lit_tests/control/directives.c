// Library control and user regions, in both spellings (POMP paper, sections 3.3 and 3.4).
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -c %s -o %t.o
int main(void) {
  int n = 0;
#pragma pomp inst init
#pragma omp inst begin(phase)
  n++;
#pragma omp inst end(phase)
#pragma omp inst off
  n++;
#pragma pomp inst on
  if (n)
#pragma pomp inst begin ( inner )
    n++;
  else
#pragma pomp inst end(inner)
    n--;
#pragma pomp inst snapshot
#pragma omp inst finalize
  return n > 5;
}
// CHECK: "region", "phase", 0, "{{.*}}directives.c", 9, 9, 11, 11,
// CHECK: "region", "inner", 0, "{{.*}}directives.c", 16, 16, 19, 19,
// CHECK: POMP_Init();
// CHECK-NEXT: POMP_Begin([[D:__pomp_rd1\(\)]]);
// CHECK: POMP_End([[D]]);
// CHECK-NEXT: POMP_Off();
// CHECK: POMP_On();
// CHECK-NEXT: if (n)
// CHECK-NEXT: { POMP_Begin([[E:__pomp_rd2\(\)]]);
// CHECK-NEXT: n++; }
// CHECK-NEXT: else
// CHECK-NEXT: { POMP_End([[E]]);
// CHECK-NEXT: n--; }
// CHECK-NEXT: POMP_Snapshot();
// CHECK-NEXT: POMP_Finalize();
