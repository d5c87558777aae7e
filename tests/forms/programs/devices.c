// simd, loop, teams, distribute and target: measured from outside, on the host.
#include <omp.h>
#include <stdio.h>

#pragma omp requires dynamic_allocators //-
static int table[8];
#pragma omp declare target(table) //-
#pragma omp declare target //-
static int on_device(int x) {
  int s = 0;
#pragma omp parallel for reduction(+ : s) //! function
  for (int i = 0; i < x; i++)
    s += i;
  return s;
}
static int declared_on_device(int x);
#pragma omp end declare target //-

static int declared_on_device(int x) {
  int s = 0;
#pragma omp parallel for reduction(+ : s) //! function
  for (int i = 0; i < x; i++)
    s += i;
  return s;
}

static int a[64];

static int simds(int n) {
  int s = 0, k = 0;
#pragma omp simd reduction(+ : s) safelen(8) simdlen(4) linear(k : 1) aligned(a) nontemporal(a) if (simd : n) //= simd 1
  for (int i = 0; i < n; i++) {
    s += a[i] + k;
    k++;
  }
#pragma omp simd collapse(2) lastprivate(k) order(concurrent) //= simd 1
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++)
      a[i * 8 + j] = k = i + j;
#pragma omp parallel //= parallel 4
  {
#pragma omp loop bind(parallel) //= loop 4
    for (int i = 0; i < n; i++)
      a[i]++;
#pragma omp loop bind(parallel) collapse(2) order(concurrent) //= loop 4
    for (int i = 0; i < 8; i++)
      for (int j = 0; j < 8; j++)
        a[i * 8 + j]++;
  }
#pragma omp loop bind(thread) lastprivate(k) //= loop 1
  for (k = 0; k < n; k++)
    a[k]++;
  return s + a[9];
}

static void spread(int n) {
#pragma omp distribute //= distribute 2
  for (int i = 0; i < n; i++)
    a[i]++;
#pragma omp distribute simd //= distribute simd 2
  for (int i = 0; i < n; i++)
    a[i]++;
#pragma omp distribute parallel for num_threads(2) //= distribute parallel for 2
  for (int i = 0; i < n; i++)
    a[i]++;
#pragma omp distribute parallel for simd num_threads(2) //= distribute parallel for simd 2
  for (int i = 0; i < n; i++)
    a[i]++;
}

static int teams(int n) {
  int s = 0;
#pragma omp teams num_teams(2) thread_limit(2) reduction(+ : s) //= teams 1
  {
#pragma omp distribute dist_schedule(static) //! no-call
    for (int i = 0; i < n; i++)
      a[i]++;
#pragma omp parallel for reduction(+ : s) //! no-call
    for (int i = 0; i < 4; i++)
      s += 1;
  }
#pragma omp teams distribute num_teams(2) reduction(+ : s) //= teams distribute 1
  for (int i = 0; i < n; i++)
    s += a[i];
#pragma omp teams distribute simd num_teams(2) reduction(+ : s) collapse(1) //= teams distribute simd 1
  for (int i = 0; i < n; i++)
    s += a[i];
#pragma omp teams distribute parallel for num_teams(2) num_threads(2) //= teams distribute parallel for 1
  for (int i = 0; i < n; i++)
    a[i]++;
#pragma omp teams distribute parallel for simd num_teams(2) num_threads(2) //= teams distribute parallel for simd 1
  for (int i = 0; i < n; i++)
    a[i]++;
#pragma omp teams loop num_teams(2) //= teams loop 1
  for (int i = 0; i < n; i++)
    a[i]++;
#pragma omp teams num_teams(2) //= teams 1
#pragma omp distribute simd //! no-call
  for (int i = 0; i < n; i++)
    a[i]++;
#pragma omp teams num_teams(2) //= teams 1
#pragma omp distribute parallel for //! no-call
  for (int i = 0; i < n; i++)
    a[i]++;
#pragma omp teams num_teams(2) //= teams 1
#pragma omp distribute parallel for simd //! no-call
  for (int i = 0; i < n; i++)
    a[i]++;
#pragma omp teams num_teams(2) //= teams 1
  spread(n);
  return s;
}

static int targets(int n) {
  int s = 0, *p = a;
#pragma omp target map(tofrom : s) device(0) if (target : n > 0) //= target 1
  s += on_device(5) + declared_on_device(5);
#pragma omp target map(tofrom : a) nowait depend(out : s) //= target 1
  a[0]++;
#pragma omp taskwait //= taskwait 1
#pragma omp target parallel map(tofrom : s) num_threads(2) reduction(+ : s) //= target parallel 1
  s += 1;
#pragma omp target parallel for map(tofrom : a) num_threads(2) schedule(static, 3) //= target parallel for 1
  for (int i = 0; i < n; i++)
    a[i]++;
#pragma omp target parallel for simd map(tofrom : a[ : 64]) //= target parallel for simd 1
  for (int i = 0; i < n; i++)
    a[i]++;
#pragma omp target parallel loop map(tofrom : a) //= target parallel loop 1
  for (int i = 0; i < n; i++)
    a[i]++;
#pragma omp target simd map(tofrom : a) //= target simd 1
  for (int i = 0; i < n; i++)
    a[i]++;
#pragma omp target teams map(tofrom : s) num_teams(2) reduction(+ : s) //= target teams 1
  s += 1;
#pragma omp target teams distribute map(tofrom : a) //= target teams distribute 1
  for (int i = 0; i < n; i++)
    a[i]++;
#pragma omp target teams distribute simd map(tofrom : a) //= target teams distribute simd 1
  for (int i = 0; i < n; i++)
    a[i]++;
#pragma omp target teams distribute parallel for map(tofrom : a) defaultmap(none : scalar) firstprivate(n) //= target teams distribute parallel for 1
  for (int i = 0; i < n; i++)
    a[i]++;
#pragma omp target teams distribute parallel for simd map(always, tofrom : a) if (target : n) if (parallel : n) //= target teams distribute parallel for simd 1
  for (int i = 0; i < n; i++)
    a[i]++;
#pragma omp target teams loop map(tofrom : a) //= target teams loop 1
  for (int i = 0; i < n; i++)
    a[i]++;
#pragma omp target map(tofrom : a) thread_limit(4) //= target 1
#pragma omp teams distribute parallel for //! no-call
  for (int i = 0; i < n; i++)
    a[i]++;
#pragma omp target data map(tofrom : a) //= target data 1
  {
#pragma omp target enter data map(to : s) //= target enter data 1
#pragma omp target update to(s) if (n > 0) //= target update 1
#pragma omp target update from(s) nowait //= target update 1
#pragma omp target exit data map(release : s) //= target exit data 1
#pragma omp taskwait //= taskwait 1
#pragma omp parallel for //= parallel for 4
    for (int i = 0; i < n; i++)
      a[i]++;
  }
#pragma omp target data map(tofrom : a) use_device_ptr(p) //= target data 1
#pragma omp target is_device_ptr(p) //= target 1
  (void)p;
#pragma omp target has_device_addr(table) //= target 1
  (void)table[0];
  return s;
}

int main(void) {
  int r[3] = {simds(64), teams(64), targets(64)};
  printf("%d %d %d %d\n", r[0], r[1], r[2], a[5]);
  return 0;
}
