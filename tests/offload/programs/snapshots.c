/* A profile in between after two of five kernels. */
#include <stdio.h>

#define SIZE 1000

static double a[SIZE];

static void launch(void) {
#pragma omp target map(to : a)
  a[0] += 1;
}

int main(void) {
  for (int visit = 0; visit < 5; visit++) {
    if (visit == 2) {
#pragma pomp inst snapshot
    }
    launch();
  }
  printf("%g\n", a[0]);
}
