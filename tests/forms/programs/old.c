// C as it was.
// options: -std=gnu89
// options: clang -Wno-deprecated-non-prototype
#include <stdio.h>

static int total(n, v)
int n;
int *v;
{
  int s = 0, i;
#pragma omp parallel for reduction(+ : s) //= parallel for 4
  for (i = 0; i < n; i++)
    s += v[i];
  return s;
}

int main() {
  int v[4] = {1, 2, 3, 4};
#pragma omp parallel num_threads(2) //= parallel 2
  {
    int i;
#pragma omp for //= for 2
    for (i = 0; i < 4; i++)
      v[i]++;
  }
  printf("%d\n", total(4, v));
  return 0;
}
