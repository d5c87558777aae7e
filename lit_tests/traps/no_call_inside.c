// No call may stand inside simd, order(concurrent), atomic, target and teams, between target and
// its teams, between collapsed loops, or beside a scan. The measurement surrounds the construct, or
// a warning names it.
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: FileCheck --check-prefix=ERR %s <%t.err
// RUN: %pomp -- %clang -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %pomp -- %gcc -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
int sum;
int f(int *a) {
  int s = 0;
#pragma omp for simd
  for (int i = 0; i < 9; i++)
    a[i] = i;
#pragma omp for order(concurrent)
  for (int i = 0; i < 9; i++)
    a[i] = i;
#pragma omp simd
  for (int i = 0; i < 9; i++) {
#pragma omp ordered simd
    a[i] = i;
  }
#pragma omp target map(tofrom : s)
#pragma omp teams
  {
    s++;
  }
#pragma omp parallel for collapse(2)
  for (int i = 0; i < 9; i++)
    for (int j = 0; j < 9; j++)
      a[i] = j;
#pragma omp for reduction(inscan, + : sum)
  for (int i = 0; i < 9; i++) {
    sum += a[i];
#pragma omp scan inclusive(sum)
    a[i] = sum;
  }
  return s;
}
// CHECK: _Pragma("omp for simd nowait")
// CHECK-NEXT: for (int i = 0; i < 9; i++)
// CHECK-NEXT: a[i] = i; ; POMP_Barrier_enter
// CHECK-NEXT: _Pragma("omp for order(concurrent) nowait")
// CHECK: POMP_Simd_enter(__pomp_rd3()); _Pragma("omp simd"){{$}}
// CHECK: #pragma omp ordered simd
// CHECK: } ; POMP_Simd_exit(__pomp_rd3()); }
// CHECK-NEXT: POMP_Target_enter(__pomp_rd4()); _Pragma("omp target map(tofrom : s)"){{$}}
// CHECK-NEXT: #pragma omp teams
// CHECK: } POMP_Target_exit(__pomp_rd4()); }
// CHECK: _Pragma("omp for collapse(2) nowait")
// CHECK-NEXT: {{^}}  for (int i = 0; i < 9; i++)
// CHECK-NEXT: {{^}}    for (int j = 0; j < 9; j++)
// CHECK-NEXT: a[i] = j; ; POMP_Barrier_enter
// CHECK: _Pragma("omp for reduction(inscan, + : sum) nowait")
// CHECK: sum += a[i];
// CHECK-NEXT: #pragma omp scan inclusive(sum)
// CHECK-NEXT: a[i] = sum;
// ERR: no_call_inside.c:20: warning: 'ordered' is not measured: no call may stand inside 'simd' [pomp-no-call]
// ERR: no_call_inside.c:24: warning: 'teams' is not measured: no call may stand inside 'target' [pomp-no-call]
