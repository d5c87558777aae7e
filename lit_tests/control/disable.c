// --pomp-disable leaves constructs out: by name, or "sync" (POMP paper, section 3.9).
// REQUIRES: clang
// RUN: %pomp rewrite %s --pomp-disable=critical,parallel_for -- %clang -fopenmp | sed -e '\,^ *//,d' | FileCheck --check-prefix=NAMED %s
// RUN: %pomp rewrite %s --pomp-disable=sync -- %clang -fopenmp | sed -e '\,^ *//,d' | FileCheck --check-prefix=SYNC %s
// RUN: not %pomp rewrite %s --pomp-disable=nonsense -- %clang -fopenmp 2>&1 | FileCheck --check-prefix=WRONG %s
// RUN: not %pomp --pomp-disable=nonsense -- %clang -fopenmp -c %s -o %t.o 2>&1 | FileCheck --check-prefix=WRONG %s
#include <omp.h>
int n;
void f(int *a, omp_lock_t *l) {
#pragma omp parallel for
  for (int i = 0; i < 9; i++)
    a[i] = i;
#pragma omp critical
  n++;
#pragma omp atomic
  n++;
#pragma omp single
  n++;
#pragma omp master
  n++;
  omp_set_lock(l);
  omp_unset_lock(l);
}
// NAMED: #pragma omp parallel for
// NAMED: #pragma omp critical
// NAMED: POMP_Atomic_enter
// NAMED: POMP_Single_enter
// NAMED: POMP_Master_begin
// NAMED: POMP_Set_lock
// SYNC: POMP_Parallel_fork
// SYNC: #pragma omp critical
// SYNC: #pragma omp atomic
// SYNC: #pragma omp single
// SYNC: #pragma omp master
// SYNC: omp_set_lock(l);
// WRONG: pomp-clang: {{.*}}'nonsense' is no construct
