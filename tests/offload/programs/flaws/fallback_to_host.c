/* A kernel that runs on the host if the device may not be used. */
#include <stdio.h>

#define SIZE 200000

static double a[SIZE];

int main(void) {
  for (int visit = 0; visit < 20; visit++) {
#pragma omp target teams distribute parallel for map(tofrom : a)
    for (int i = 0; i < SIZE; i++)
      a[i]++;
  }
  printf("%g\n", a[0]);
}
