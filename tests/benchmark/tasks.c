/* A tree of tasks of some 100 ns each: as deep as the first argument says. */
#include <stdio.h>
#include <stdlib.h>

static long grow(int depth) {
  long left = 0, right = 0;
  volatile int work = 0;
  for (int i = 0; i < 50; i++)
    work += i;
  if (depth == 0)
    return 1;
#pragma omp task shared(left)
  left = grow(depth - 1);
#pragma omp task shared(right)
  right = grow(depth - 1);
#pragma omp taskwait
  return left + right;
}

int main(int count, char **words) {
  long leaves = 0;
#pragma omp parallel
#pragma omp single
  leaves = grow(count > 1 ? atoi(words[1]) : 15);
  printf("%ld\n", leaves);
  return 0;
}
