// Places in which a construct may stand in C.
#include <stdio.h>

static int counted;

static int bump(int n) {
#pragma omp atomic /*= clang: atomic 20 */ //= gcc: atomic 24
  counted += n;
  return n;
}

static int split(int n) {
  int s = 0;
#if 1
#pragma omp parallel num_threads(2) //= parallel 2
#else
#pragma omp parallel num_threads(3)
#endif
#ifdef NEVER
  for (int i = 0; i < n; i++)
#else
  {
#endif
    bump(1);
#ifndef NEVER
  }
#endif
#pragma omp parallel for num_threads(2) //= parallel for 2
#ifdef NEVER
  for (int i = 0; i < 2 * n; i++) {
#else
  for (int i = 0; i < n; i++) {
#endif
    bump(1);
  }
#pragma omp parallel num_threads(2) //! block
#include "statement.h"
  bump(1);
#pragma omp parallel num_threads(2) //! block
  {
#include "end.h"
  bump(1);
  return s;
}

static int jumps(int n) {
  static void *const places[] = {&&first, &&second};
  goto *places[n & 1];
first:
#pragma omp critical //= critical 0
  bump(2);
second:
#pragma omp parallel num_threads(2) //= parallel 2
  {
    int k = 0;
  again:
#pragma omp critical //= critical 6
    k++;
    if (k < 3)
      goto again;
    bump(k);
  }
  __asm__ goto("" : : : : out);
#pragma omp single //= single 1
  bump(1);
out:;
#pragma omp flush //= flush 1
  for (;;) {
#pragma omp parallel num_threads(2) //= parallel 2
    bump(1);
    break;
  }
  do
#pragma omp critical //= critical 1
    n--;
  while (n > 0);
  while (n++ < 2)
#pragma omp parallel num_threads(2) //= parallel 4
    bump(1);
  return n;
}

static int statement(int n) {
  return ({
    int s = 0;
#pragma omp parallel for reduction(+ : s) num_threads(2) //= parallel for 2
    for (int i = 0; i < n; i++)
      s += ({
        int t;
#pragma omp critical //= critical 4
        t = i;
        t;
      });
    s;
  });
}

#ifndef __clang__
static int nested(int n) {
  int sum = 0;
  int inner(int k) {
#pragma omp parallel num_threads(2) //! gcc: parse
    bump(k);
    return k;
  }
#pragma omp parallel num_threads(2) //= gcc: parallel 2
  bump(n);
  sum += inner(1);
  return sum;
}
#else
static int nested(int n) {
  counted += 4;
  return n;
}
#endif

static int lists(int n, int *v) {
  int s = 0;
#pragma omp parallel for collapse(2) reduction(+ : s, v[0 : 2]) num_threads(2) //= parallel for 2
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      s += (int[]){i, j}[1];
      v[j & 1]++;
    }
  return s + v[0];
}

int main(void) {
  int v[2] = {0, 0};
  int r[5] = {split(3), jumps(1), statement(4), nested(1), lists(3, v)};
  printf("%d %d %d %d %d %d\n", r[0], r[1], r[2], r[3], r[4], counted);
  return 0;
}
