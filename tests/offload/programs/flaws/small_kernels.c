/* A kernel for each element. */
#include <stdio.h>

#define SIZE 500

static double a[SIZE];

int main(void) {
#pragma omp target data map(tofrom : a)
  {
#ifdef REPAIRED
#pragma omp target
    for (int i = 0; i < SIZE; i++)
      for (int step = 0; step < 20000; step++)
        a[i] = a[i] * 0.999 + 1;
#else
    for (int i = 0; i < SIZE; i++) {
#pragma omp target
      a[i]++;
    }
#endif
  }
  printf("%g\n", a[0]);
}
