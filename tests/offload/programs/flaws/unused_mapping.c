/* Data that is mapped before the host, and not a kernel, uses it. */
#include <stdio.h>

#define SIZE 200000

static double a[SIZE];

static void add(void) {
#ifdef REPAIRED
#pragma omp target teams distribute parallel for
#endif
  for (int i = 0; i < SIZE; i++)
    a[i]++;
}

int main(void) {
#pragma omp target data map(tofrom : a)
  add();
  printf("%g\n", a[0]);
}
