/* Kernels whose data the host neither changes nor reads in between. */
#include <stdio.h>

#define SIZE 100000
#define VISITS 5

static double a[SIZE], b[SIZE], c[SIZE];

int main(void) {
#ifdef REPAIRED
#pragma omp target data map(to : a, c) map(tofrom : b)
#endif
  for (int visit = 0; visit < VISITS; visit++) {
#pragma omp target teams distribute parallel for map(to : a) map(tofrom : b, c)
    for (int i = 0; i < SIZE; i++)
      b[i] += a[i] + c[i] + 1;
  }
  a[3] = 7;
#pragma omp target map(to : a)
  {
  }
  printf("%g\n", b[0]);
}
