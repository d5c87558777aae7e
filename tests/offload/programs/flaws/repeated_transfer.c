/* A kernel whose data moves at each visit. */
#include <stdio.h>

#define SIZE 200000
#define VISITS 50

static double a[SIZE], b[SIZE];

int main(void) {
#ifdef REPAIRED
#pragma omp target data map(to : a) map(tofrom : b)
#endif
  for (int visit = 0; visit < VISITS; visit++) {
#pragma omp target teams distribute parallel for map(to : a) map(tofrom : b)
    for (int i = 0; i < SIZE; i++)
      b[i] += a[i];
  }
  printf("%g\n", b[0]);
}
