// Clauses of combined constructs, which are split: each takes effect where it did.
#include <omp.h>
#include <stdio.h>

static int each;
#pragma omp threadprivate(each)

static int loops(int n, int *a) {
  int s = 0, t = 1, last = 0, i, j, k = 0;
  double sum[2] = {0, 0};
#pragma omp parallel for default(firstprivate) shared(a) reduction(+ : s) lastprivate(last) //= parallel for 4
  for (i = 0; i < n; i++) {
    s += t;
    last = a[i] = i;
  }
#pragma omp parallel for default(none) firstprivate(n, t) shared(a) private(j) reduction(max : last) collapse(2) //= parallel for 4
  for (i = 0; i < n; i++)
    for (int m = 0; m < 2; m++) {
      j = t + i;
      last = last > j ? last : j;
      if (m)
        a[i] += j;
    }
#pragma omp parallel for allocate(omp_default_mem_alloc : t) firstprivate(t) schedule(monotonic : static, 2) ordered //= parallel for 4
  for (i = 0; i < n; i++) {
    t += 0;
#pragma omp ordered //= ordered 20
    s += t;
  }
#pragma omp parallel for simd linear(k : 2) reduction(+ : s) safelen(4) default(none) shared(n, a) //= parallel for simd 4
  for (i = 0; i < n; i++) {
    s += a[i] + k;
    k += 2;
  }
#pragma omp parallel for order(concurrent) lastprivate(last) default(shared) if (n > 100) //= parallel for 1
  for (i = 0; i < n; i++)
    last = i;
#pragma omp parallel for reduction(+ : sum[ : 2]) schedule(guided) //= parallel for 4
  for (i = 0; i < n; i++)
    sum[i & 1] += i;
#pragma omp parallel for num_threads(omp_get_max_threads() > 2 ? 3 : 1) copyin(each) reduction(- : s) //= parallel for 3
  for (i = 0; i < n; i++)
    s -= each + 1;
  return s + t + last + k + (int)(sum[0] + sum[1]);
}

static int others(int n, int *a) {
  int s = 0, last = 0, t = 2;
  each = 5;
#pragma omp parallel sections default(none) lastprivate(last) firstprivate(t) copyin(each) shared(n) num_threads(2) //= parallel sections 2
  {
#pragma omp section
    last = t + each + n;
#pragma omp section
    last = t * 2 + each;
  }
#pragma omp parallel loop default(none) shared(n, a) lastprivate(last) order(concurrent) //= parallel loop 4
  for (last = 0; last < n; last++)
    a[last]++;
#pragma omp parallel master default(none) shared(s) firstprivate(t) private(last) //= parallel master 4
  {
    last = t;
    s += last;
  }
#pragma omp parallel masked default(shared) reduction(+ : s) filter(1) num_threads(2) //= parallel masked 2
  s += t;
#pragma omp parallel master taskloop default(none) shared(a, n) reduction(+ : s) collapse(1) final(n < 0) mergeable //= parallel master taskloop 4
  for (int i = 0; i < n; i++)
    s += a[i];
#pragma omp parallel master taskloop simd default(shared) lastprivate(last) private(t) num_tasks(4) if (parallel : n > 2) if (taskloop : n > 3) //= parallel master taskloop simd 4
  for (int i = 0; i < n; i++) {
    t = i;
    last = t;
  }
#pragma omp parallel if (parallel : 0) proc_bind(spread) num_threads(4) //= parallel 1
#pragma omp for nowait private(t) firstprivate(n) //= for 1
  for (int i = 0; i < n; i++)
    t = a[i];
#pragma omp parallel firstprivate(n) private(t) shared(a) proc_bind(master) //= parallel 4
  {
    t = n;
#pragma omp atomic //= atomic 4
    a[0] += t;
  }
  return s + last;
}

int main(void) {
  int a[20] = {0};
  int r[2] = {loops(20, a), others(20, a)};
  printf("%d %d %d %d\n", r[0], r[1], a[0], a[19]);
  return 0;
}
