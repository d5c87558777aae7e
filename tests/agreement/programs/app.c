#include "kernel.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static int never(int x) {
#pragma omp critical
  x++;
  return x;
}

int main(int argc, char **argv) {
  int n = 100, s = 0, i;
  double *a = (double *)malloc(n * sizeof *a);
#pragma omp parallel for schedule(static)
  for (i = 0; i < n; i++)
    a[i] = i;
#pragma omp parallel
  {
#pragma omp single
    {
      s += 1;
      if (argc > 5)
        s += never(argc);
    }
#pragma omp for
    for (i = 0; i < n; i++)
#pragma omp critical
      s += i;
#pragma omp sections
    {
#pragma omp section
      a[0] = 1;
#pragma omp section
      {
        a[1] = 2;
      }
    }
#pragma omp master
    printf("%s %s %d %s\n", __FILE__, __BASE_FILE__, __LINE__, __func__);
#pragma omp barrier
    if (n > 1000)
#pragma omp atomic
      s++;
    else
#pragma omp atomic
      s--;
#pragma omp single
#pragma omp task
    s += 3;
#pragma omp taskwait
  }
  assert(s > 0);
  printf("%g %d\n", kernel(a, n), s > 4900);
  free(a);
  return argv[0] == 0;
}
