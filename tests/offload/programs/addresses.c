/* A construct that moves data of a new address each time. */
#include <stdio.h>
#include <stdlib.h>

#define VISITS 100
#define SIZE 100

int main(void) {
  double *data[VISITS], sum = 0;
  for (int visit = 0; visit < VISITS; visit++) {
    double *own = data[visit] = calloc(SIZE, sizeof *own);
#pragma omp target map(tofrom : own[0 : SIZE])
    own[0]++;
    sum += own[0];
  }
  for (int visit = 0; visit < VISITS; visit++)
    free(data[visit]);
  printf("%g\n", sum);
}
