/* A kernel that has worksharing, and a team, of its own, and computes after them. */
#include <stdio.h>

#define SIZE 1000

static int a[SIZE];

static double computed(double x) {
  for (int i = 0; i < 20000000; i++)
    x = x * 0.999 + 1;
  return x;
}

int main(void) {
  double x = 1;
#pragma omp parallel num_threads(1)
#pragma omp single
  {
#pragma omp target map(tofrom : a, x)
    {
#pragma omp for
      for (int i = 0; i < SIZE; i++)
        a[i]++;
#pragma omp parallel for
      for (int i = 0; i < SIZE; i++)
        a[i]++;
      x = computed(x);
    }
  }
  printf("%d %g\n", a[SIZE - 1], x);
}
