// Directives that come out of macros, wholly or in part, and bodies inside their arguments.
#include "shared.h"
#include <stdio.h>

#define PRAGMA(x) _Pragma(#x)
#define OMP(x) PRAGMA(omp x)
#define PARALLEL_FOR(clauses) OMP(parallel for clauses)
#define LOOP(i, n, body)                                                                           \
  _Pragma("omp parallel for") for (int i = 0; i < n; i++) { body; }
#define LOCKED(...)                                                                                \
  do {                                                                                             \
    OMP(critical)                                                                                  \
    { __VA_ARGS__; }                                                                               \
  } while (0)
#define DIR parallel for
#define CLAUSES schedule(static) num_threads(2)
#define KIND parallel
#define ITEMS                                                                                      \
  ITEM(0)                                                                                          \
  ITEM(1)                                                                                          \
  ITEM(2)
#define EACH(statement) statement

static int a[20], s;

static void adds(int n) {
  PRAGMA(omp parallel for) //= parallel for 4
  for (int i = 0; i < n; i++)
    a[i]++;
  OMP(parallel for reduction(+ : s)) //= parallel for 4
  for (int i = 0; i < n; i++)
    s += a[i];
  PARALLEL_FOR(schedule(dynamic) if (n > 2)) //= parallel for 4
  for (int i = 0; i < n; i++)
    a[i]++;
  LOOP(i, n, a[i]++) //= parallel for 4
#pragma omp DIR //= parallel for 4
  for (int i = 0; i < n; i++)
    a[i]++;
#pragma omp parallel for CLAUSES //= parallel for 2
  for (int i = 0; i < n; i++)
    a[i]++;
#pragma omp KIND num_threads(3) //= parallel 3
  LOCKED(s += 1, s += 2); //= critical 3
#define ITEM(k) PRAGMA(omp atomic) a[k] += k;
  ITEMS //= atomic 1, atomic 1, atomic 1
#undef ITEM
  EACH(_Pragma("omp parallel num_threads(2)") { //= parallel 2, critical 2
    OMP(critical)
    s++;
  })
  IN_PARALLEL(n, LOCKED(s++)); //= parallel 2, critical 2
  COUNTED(a[3]); //= atomic 1
}

int main(void) {
  adds(20);
  printf("%d %d %d\n", s, a[0], a[19]);
  return 0;
}
