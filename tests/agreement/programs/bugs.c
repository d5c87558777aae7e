#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int n = 8, i;
  int *a = (int *)malloc(n * sizeof *a);
  int big = 2147483600;
#ifdef HEAP
#pragma omp parallel for num_threads(1)
  for (i = 0; i <= n; i++)
    a[i] = i;
#endif
#ifdef SIGNED
#pragma omp parallel num_threads(1)
  {
#pragma omp critical
    big += 100 * argc;
#pragma omp single
    for (i = 0; i < 2; i++)
      a[i] = 1 << (31 + argc);
  }
#endif
#ifdef RACE
#pragma omp parallel num_threads(2) private(i)
  {
    for (i = 0; i < 1000; i++)
      big -= 1;
  }
#endif
  printf("%d\n", big > 0);
  free(a);
  return 0;
}
