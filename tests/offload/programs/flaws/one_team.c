/* A kernel that one team runs. */
#include <stdio.h>

#define SIZE 1000000

static double a[SIZE];

int main(void) {
#pragma omp target data map(tofrom : a)
  for (int visit = 0; visit < 3; visit++) {
#pragma omp target parallel for
    for (int i = 0; i < SIZE; i++)
      a[i] = a[i] * 0.999 + i;
  }
  printf("%g\n", a[0]);
}
