// The POMP paper's Table 4: the same calls in the same order round the same statement.
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
double fabs(double);
extern double psi[99][99], new_psi[99][99], the_for[99][99], diff;
extern double a1, a2, a3, a4, a5;
void step(int i1, int i2, int j1, int j2) {
  int i, j;
#pragma omp for schedule(static) reduction(+: diff) private(j) \
    firstprivate (a1,a2,a3,a4,a5)
  for(i=i1;i<=i2;i++) {
    for(j=j1;j<=j2;j++){
      new_psi[i][j]=a1*psi[i+1][j] + a2*psi[i-1][j] + a3*psi[i][j+1] + a4*psi[i][j-1]
        - a5*the_for[i][j];
      diff=diff+fabs(new_psi[i][j]-psi[i][j]);
    }
  }
}
// CHECK: { POMP_For_enter([[D:__pomp_rd1\(\)]]);
// CHECK-SAME: {{^}} _Pragma("omp for schedule(static) reduction(+: diff) private(j) firstprivate(a1,a2,a3,a4,a5) nowait"){{$}}
// CHECK-EMPTY:
// CHECK-NEXT: {{^}}  for(i=i1;i<=i2;i++) {
// CHECK-NEXT: {{^}}    for(j=j1;j<=j2;j++){
// CHECK-NEXT: {{^}}      new_psi[i][j]=a1*psi[i+1][j] + a2*psi[i-1][j] + a3*psi[i][j+1] + a4*psi[i][j-1]
// CHECK-NEXT: {{^}}        - a5*the_for[i][j];
// CHECK-NEXT: {{^}}      diff=diff+fabs(new_psi[i][j]-psi[i][j]);
// CHECK-NEXT: {{^}}    }
// CHECK-NEXT: {{^}}  } ; POMP_Barrier_enter([[D]]);
// CHECK-SAME: {{^}} _Pragma("omp barrier")
// CHECK-SAME: {{^}} POMP_Barrier_exit([[D]]);
// CHECK-SAME: {{^}} POMP_For_exit([[D]]); }
