// The part of OpenMP 5.2 and 6.0 that clang 19 supports.
// options: clang -fopenmp-version=60
// only: clang
#include <omp.h>
#include <stdio.h>

static int orders(int n) {
  int a[21] = {0};
#pragma omp parallel for ordered(1) //= parallel for 4
  for (int i = 1; i < n; i++) {
#pragma omp ordered doacross(sink : i - 1) //= ordered 19
    a[i] += a[i - 1] % 10 + 1;
#pragma omp ordered doacross(source:) //= ordered 19
  }
#pragma omp parallel //= parallel 4
#pragma omp for ordered(2) //= for 4
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 5; j++) {
#pragma omp ordered doacross(sink : omp_cur_iteration - 1) //= ordered 20
      a[i * 5 + j]++;
#pragma omp ordered doacross(source : omp_cur_iteration) //= ordered 20
    }
  return a[19];
}

static int waits(int n) {
  int x = 0;
  omp_depend_t o;
#pragma omp depobj(o) depend(inout : x) //= depobj 1
#pragma omp parallel //= parallel 4
#pragma omp single //= single 4
  {
#pragma omp task depend(depobj : o) shared(x) //= task 1
    x = 1;
#pragma omp taskwait depend(in : x) nowait //= taskwait 1
#pragma omp task depend(in : x) shared(x) //= task 1
    x += n;
  }
  return x;
}

static int transformed(int n) {
  int s = 0;
#pragma omp tile sizes(4, 4) //-
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      s += i + j;
#pragma omp unroll partial(4) //-
  for (int i = 0; i < n; i++)
    s += i;
#pragma omp unroll full //-
  for (int i = 0; i < 4; i++)
    s += i;
#pragma omp unroll //-
  for (int i = 0; i < n; i++)
    s += i;
#pragma omp interchange //-
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      s += i + j;
#pragma omp reverse //-
  for (int i = 0; i < n; i++)
    s += i;
#pragma omp parallel for reduction(+ : s) //= parallel for 4
#pragma omp tile sizes(4) //-
  for (int i = 0; i < n; i++)
    s += i;
#pragma omp parallel //= parallel 4
#pragma omp for reduction(+ : s) //= for 4
#pragma omp unroll partial(2) //-
#pragma omp reverse //-
  for (int i = 0; i < n; i++)
    s += i;
#pragma omp unroll partial(2) //-
#pragma omp tile sizes(3) //-
  for (int i = 0; i < n; i++)
    s += i;
  return s;
}

static int masks(int n) {
  int s = 0;
#pragma omp parallel masked default(firstprivate) shared(s) //= parallel masked 4
  s += n;
#pragma omp parallel default(private) shared(s) //= parallel 4
  {
    int one = 1;
#pragma omp atomic //= atomic 4
    s += one;
#pragma omp error at(execution) severity(warning) message("said by the program") //-
  }
#pragma omp nothing //-
  return s;
}

int main(void) {
  int r[4] = {orders(20), waits(7), transformed(10), masks(3)};
  printf("%d %d %d %d\n", r[0], r[1], r[2], r[3]);
  return 0;
}
