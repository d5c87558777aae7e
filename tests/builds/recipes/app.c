#include <stdio.h>
int part(int n);
int other(int n);
int main(void) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 10; i++)
    sum += other(i);
  printf("%d %d\n", sum, part(6));
  return 0;
}
