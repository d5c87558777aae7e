// begin declare variant, metadirectives, interop: what clang 19 selects.
// only: clang
// options: -fopenmp-version=51
#include <omp.h>
#include <stdio.h>

int chosen(int n);
int chosen(int n) {
  int s = n;
#pragma omp parallel num_threads(2) reduction(+ : s) //= parallel 0
  s += 1;
  return s;
}
#pragma omp begin declare variant match(implementation = {vendor(llvm)}) //-
int chosen(int n) {
  int s = n;
#pragma omp parallel num_threads(3) reduction(+ : s) //= parallel 3
  s += 1;
  return s;
}
#pragma omp end declare variant //-
#pragma omp begin declare variant match(implementation = {vendor(gnu)}) //-
int chosen(int n) {
#pragma omp parallel num_threads(4) //= parallel 0
  n++;
  return n;
}
#pragma omp end declare variant //-

static int meta(int n) {
  int s = 0;
#pragma omp metadirective when(implementation = /*= metadirective 1 */ {vendor(llvm)} : parallel num_threads(2)) \
    default(single) /* of two lines */
#pragma omp atomic //= atomic 2
  s += n;
#pragma omp metadirective when(user = {condition(1)} : taskwait) default(nothing) //= metadirective 1
  int t = 0;
#pragma omp metadirective when(user = {condition(n > 2)} : parallel for reduction(+ : t)) default(nothing) //= metadirective 1
  for (int i = 0; i < 9; i++)
    t += i;
#pragma omp metadirective /*= metadirective 1 */ when(device = {kind(gpu)} : target teams map(tofrom : t)) \
    default(parallel num_threads(2))
  {
#pragma omp critical //! no-call
    t++;
  }
#pragma omp parallel for reduction(+ : t) //= parallel for 4
#pragma omp metadirective when(implementation = {vendor(llvm)} : unroll partial(2)) //! no-call
  for (int i = 0; i < 9; i++)
    t += i;
#pragma omp parallel num_threads(3) //= parallel 3
  {
#pragma omp metadirective when(user = {condition(0)} : single) default(for) //= metadirective 3
    for (int i = 0; i < 9; i++)
#pragma omp critical //= critical 9
      t += i;
  }
  s += t;
  return s;
}

static int objects(int n) {
  omp_interop_t o = omp_interop_none;
  if (n < 0) {
#pragma omp interop init(targetsync : o) //= interop 0
#pragma omp interop use(o) //= interop 0
#pragma omp interop destroy(o) //= interop 0
  }
  return n;
}

int main(void) {
  int r[3] = {chosen(3), meta(4), objects(5)};
  printf("%d %d %d\n", r[0], r[1], r[2]);
  return 0;
}
