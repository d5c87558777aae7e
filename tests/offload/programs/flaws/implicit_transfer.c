/* A kernel that reads a large variable, which moves back as well. */
#include <stdio.h>

#define SIZE 100000

static double table[SIZE], sums[100];

int main(void) {
  for (int i = 0; i < SIZE; i++)
    table[i] = i;
#ifdef REPAIRED
#pragma omp target teams distribute parallel for map(to : table)
#else
#pragma omp target teams distribute parallel for
#endif
  for (int i = 0; i < SIZE; i += SIZE / 100)
    sums[i / (SIZE / 100)] = table[i];
  printf("%g\n", sums[99]);
}
