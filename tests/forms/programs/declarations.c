// Directives that declare: left as they are, and what stands beside and between them is measured.
#include <omp.h>
#include <stdio.h>

#pragma omp requires atomic_default_mem_order(seq_cst) //-
static int each;
int table[4];
#pragma omp threadprivate(each) //-
#pragma omp declare target to(table) //-
#ifdef __clang__
#pragma omp assumes no_openmp_routines //-
#pragma omp begin assumes ext_nothing //-
static int assumed(int n) {
  int s = 0;
#pragma omp parallel for reduction(+ : s) //= clang: parallel for 4
  for (int i = 0; i < n; i++)
    s += i;
  return s;
}
#pragma omp end assumes //-
#pragma omp begin declare target //-
static int on_device(int n) {
#pragma omp critical //! clang: function
  n++;
  return n;
}
#pragma omp end declare target //-
#else
static int assumed(int n) { return n * (n - 1) / 2; }
static int on_device(int n) { return n + 1; }
#endif

typedef struct pair {
  int a, b;
} pair;
#pragma omp declare reduction(add : pair : omp_out.a += omp_in.a, omp_out.b += omp_in.b) \
    initializer(omp_priv = (pair){0, 0}) //-
#ifdef __clang__
#pragma omp declare mapper(whole : pair p) map(p.a, p.b) //-
#endif
#pragma omp declare simd uniform(k) linear(i : 1) notinbranch //-
#pragma omp declare simd simdlen(4) //-
static int product(int k, int i) { return k * i; }

int replaced(int n);
int replaced(int n) {
  int s = 0;
#pragma omp parallel num_threads(2) reduction(+ : s) //= parallel 0
  s += n;
  return s;
}
#pragma omp declare variant(replaced) match(construct = {parallel}) //-
int original(int n);
int original(int n) {
  int s = 0;
#pragma omp parallel num_threads(3) reduction(+ : s) //= parallel 3
  s += n;
  return s;
}

static int local(int n) {
  int s = 0, last = 0;
#ifdef __clang__
#pragma omp allocate(s) allocator(omp_default_mem_alloc) //-
#endif
  s = n;
#pragma omp declare reduction(most : int : omp_out = omp_in > omp_out ? omp_in : omp_out) //-
#pragma omp parallel for reduction(most : last) allocate(omp_default_mem_alloc : last) //= parallel for 4
  for (int i = 0; i < n; i++)
    last = product(2, i);
  each = s;
#pragma omp parallel copyin(each) reduction(+ : s) //= parallel 4
  s += each;
  return s + last;
}

int main(void) {
  pair p = {0, 0};
#pragma omp parallel for reduction(add : p) //= parallel for 4
  for (int i = 0; i < 10; i++) {
    p.a += i;
    p.b++;
  }
#ifdef __clang__
#pragma omp target map(mapper(whole), tofrom : p) //= clang: target 1
  p.b++;
#else
  p.b++;
#endif
  int r[4] = {assumed(9), on_device(4), original(5), local(6)};
  printf("%d %d %d %d %d %d\n", r[0], r[1], r[2], r[3], p.a, p.b);
  return 0;
}
