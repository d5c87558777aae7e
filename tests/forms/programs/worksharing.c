// parallel, the worksharing constructs, and their combinations.
#include <omp.h>
#include <stdio.h>

static int copied;
#pragma omp threadprivate(copied) //-

static int plain(int *a, int n) {
  int s = 0, last = 0, i, j;
#pragma omp parallel //= parallel 4
  {
#pragma omp for //= for 4
    for (i = 0; i < n; i++)
      a[i] = i;
#pragma omp for schedule(static, 2) //= for 4
    for (i = 0; i < n; i++)
      a[i] += 1;
#pragma omp for simd reduction(+ : s) linear(j : 2) //= for simd 4
    for (j = 0; j < 20; j += 2)
      s += a[j];
#pragma omp for lastprivate(conditional : last) //= for 4
    for (i = 0; i < n; i++)
      if (a[i] % 3 == 0)
        last = i;
#pragma omp for collapse(2) schedule(nonmonotonic : dynamic, 1) //= for 4
    for (i = 0; i < 4; i++)
      for (int k = 0; k < 4; k++)
        a[i * 4 + k] += 1;
#pragma omp for order(concurrent) //= for 4
    for (i = 0; i < n; i++)
      a[i] += 1;
#pragma omp for order(reproducible : concurrent) nowait //= for 4
    for (i = 0; i < n; i++)
      a[i] += 1;
#pragma omp barrier //= barrier 4
#pragma omp sections private(i) lastprivate(last) //= sections 4
    {
      a[0]++;
#pragma omp section
      a[1]++;
#pragma omp section
      last = 7;
    }
#pragma omp single //= single 4
    a[2]++;
#pragma omp single copyprivate(copied) //= single 4
    copied = 5;
#pragma omp single nowait firstprivate(n) allocate(n) //= single 4
    a[3] += n;
#pragma omp master //= master 1
    a[4]++;
#pragma omp masked //= masked 1
    a[5]++;
#pragma omp masked filter(2) //= masked 1
    a[6]++;
  }
  return s + last;
}

static int combined(int *a, int n) {
  int s = 0, last = 0, i, t = 0;
  copied = 3;
#pragma omp parallel for schedule(static), if (parallel : n > 2), copyin(copied) num_threads(3) //= parallel for 3
  for (i = 0; i < n; i++)
    a[i] += copied;
#pragma omp parallel for default(none) shared(a, n) reduction(+ : s) lastprivate(last) //= parallel for 4
  for (i = 0; i < n; i++) {
    s += a[i];
    last = i;
  }
#pragma omp parallel for simd default(none) shared(a, n) /*= parallel for simd 4 */ reduction(+ : s) \
    proc_bind(close) if (simd : n > 1) simdlen(4) aligned(a : 4) nontemporal(a)
  for (i = 0; i < n; i++)
    s += a[i];
#pragma omp parallel sections reduction(+ : s) firstprivate(t) //= parallel sections 4
  {
    s += t + 1;
#pragma omp section
    s += 2;
  }
#pragma omp parallel master //= parallel master 4
  s++;
#pragma omp parallel masked filter(3) if (1) //= parallel masked 4
  s++;
#pragma omp parallel loop reduction(+ : s) bind(parallel) //= parallel loop 4
  for (i = 0; i < n; i++)
    s += a[i];
#pragma omp parallel master taskloop grainsize(5) shared(a) //= parallel master taskloop 4
  for (i = 0; i < n; i++)
    a[i]++;
#pragma omp parallel masked taskloop num_tasks(4) shared(a) if (taskloop : 1) //= parallel masked taskloop 4
  for (i = 0; i < n; i++)
    a[i]++;
#pragma omp parallel master taskloop simd shared(a) if (parallel : 1) //= parallel master taskloop simd 4
  for (i = 0; i < n; i++)
    a[i]++;
#pragma omp parallel masked taskloop simd filter(0) shared(a) nogroup //= parallel masked taskloop simd 4
  for (i = 0; i < n; i++)
    a[i]++;
  return s + last;
}

static int scans(int *a, int n) {
  int s = 0, t = 0;
#ifndef __clang__ /* clang 19 miscomputes scans that are not combined */
#pragma omp parallel //= gcc: parallel 4
#pragma omp for reduction(inscan, + : s) //= gcc: for 4
  for (int i = 0; i < n; i++) {
    s += a[i];
#pragma omp scan inclusive(s) //-
    a[i] = s;
  }
#endif
#pragma omp parallel for reduction(inscan, + : s) /*= clang: parallel for 1 */ //= gcc: parallel for 4
  for (int i = 0; i < n; i++) {
    s += a[i];
#pragma omp scan inclusive(s) //-
    a[i] = s;
  }
#pragma omp parallel for simd reduction(inscan, + : t) if (n > 1) /*= clang: parallel for simd 1 */ //= gcc: parallel for simd 4
  for (int i = 0; i < n; i++) {
    a[i] += t;
#pragma omp scan exclusive(t) //-
    t += i;
  }
  return s + t;
}

static int tasks_in_reductions(int n) {
  int s = 0, t = 0, u = 0;
#pragma omp parallel reduction(task, + : s) //= parallel 4
  {
#pragma omp for reduction(task, + : t) //= for 4
    for (int i = 0; i < n; i++)
#pragma omp task in_reduction(+ : t) //= task 20
      t += i;
#pragma omp sections reduction(task, + : u) //= sections 4
    {
#pragma omp task in_reduction(+ : u) //= task 1
      u++;
#pragma omp section
      u++;
    }
    s++;
  }
#pragma omp parallel for reduction(task, + : s) //= parallel for 4
  for (int i = 0; i < n; i++) {
#pragma omp task in_reduction(+ : s) //= task 20
    s += i;
  }
#pragma omp parallel sections reduction(task, + : s) //= parallel sections 4
  {
#pragma omp task in_reduction(+ : s) //= task 1
    s += 3;
  }
  return s + t + u;
}

#ifndef __clang__
static int scopes(int n) {
  int s = 0;
#pragma omp parallel //= gcc: parallel 4
  {
#pragma omp scope reduction(+ : s) //= gcc: scope 4
    s += n;
#pragma omp scope nowait private(n) //= gcc: scope 4
    n = 1;
#pragma omp scope reduction(task, + : s) //= gcc: scope 4
    {
#pragma omp task in_reduction(+ : s) //= gcc: task 4
      s += 1;
    }
  }
  return s;
}
#else
static int scopes(int n) { return 4 * n + 4; }
#endif

int main(void) {
  int a[20] = {0}, r[5];
  r[0] = plain(a, 20);
  r[1] = combined(a, 20);
  r[2] = scans(a, 20);
  r[3] = tasks_in_reductions(20);
  r[4] = scopes(20);
  printf("%d %d %d %d %d %d\n", r[0], r[1], r[2], r[3], r[4], a[19]);
  return 0;
}
