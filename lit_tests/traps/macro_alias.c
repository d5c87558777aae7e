// A macro that names another is measured like the other one. A construct that no text of the unit
// contains gets a warning, or an error with --pomp-strict.
// REQUIRES: clang
// RUN: rm -rf %t.dir
// RUN: %pomp --pomp-strict -- %clang -fopenmp %s -o %t
// RUN: env POMP_EXPERIMENT_DIR=%t.dir %t
// RUN: %pomp report --all %t.dir | FileCheck %s
// RUN: %pomp -- %clang -fopenmp -DPASTED -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=NAMED
// RUN: not %pomp --pomp-strict -- %clang -fopenmp -DPASTED -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=NAMED
#include <omp.h>
#define LOOP(n) _Pragma("omp parallel for") for (int i = 0; i < n; i++)
#define EACH LOOP
#define SET(l) omp_set_lock(l)
#define TAKE SET
#define UNSET(what, l) omp_##what##_lock(l)

int main(void) {
  double x[8] = {0};
  omp_lock_t lock;
  omp_init_lock(&lock);
  EACH(8) {
    TAKE(&lock);
    x[0] += 1;
#ifdef PASTED
    UNSET(unset, &lock);
#else
    omp_unset_lock(&lock);
#endif
  }
  return x[0] != 8;
}
// CHECK-DAG: lock{{ .*}}macro_alias.c:22
// CHECK-DAG: parallel for{{ .*}}macro_alias.c:21
// NAMED: macro_alias.c:25: {{(warning|error)}}: the compiler reads 'omp_unset_lock' here, which was not found; {{.*}} [pomp-unseen]
