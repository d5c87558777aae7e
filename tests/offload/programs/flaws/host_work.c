/* Serial work of the host between kernels. */
#include <stdio.h>

#define SIZE 200000
#define VISITS 20

static double a[SIZE];

int main(void) {
  double largest = 0;
#pragma omp target data map(to : a)
  for (int visit = 0; visit < VISITS; visit++) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < SIZE; i++)
      a[i] += i * 0.5;
#ifdef REPAIRED
#pragma omp target teams distribute parallel for reduction(max : largest) map(tofrom : largest)
    for (int i = 0; i < SIZE; i++)
      largest = a[i] > largest ? a[i] : largest;
#else
#pragma omp target update from(a)
    for (int step = 0; step < 10; step++)
      for (int i = 0; i < SIZE; i++)
        largest = a[i] + step > largest ? a[i] : largest;
#endif
  }
  printf("%g\n", largest);
}
