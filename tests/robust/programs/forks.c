/* A million teams. */
#include <stdio.h>

int main(void) {
  long sum = 0;
  for (int i = 0; i < 900000; i++) {
#pragma omp parallel num_threads(1) reduction(+ : sum)
    sum++;
  }
  for (int i = 0; i < 100000; i++) {
#pragma omp parallel num_threads(2) reduction(+ : sum)
    sum++;
  }
  printf("%ld\n", sum);
  return 0;
}
