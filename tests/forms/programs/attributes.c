// Directives as attributes in C23.
// only: clang
// options: -std=c23
#include <stdio.h>

static int a[20];

int main(void) {
  int s = 0;
  [[omp::directive(parallel num_threads(2))]] //= parallel 2
  {
    [[omp::directive(for schedule(static))]] //= for 2
    for (int i = 0; i < 20; i++)
      a[i]++;
    [[omp::directive(barrier)]]; //= barrier 2
    [[omp::sequence(directive(single), directive(critical(name)))]] s++; //= single 2, critical 1
    [[omp::directive(masked)]] //= masked 1
    s++;
  }
  if (s > 0)
    [[omp::sequence(omp::directive(parallel), omp::directive(critical))]] s++; //= parallel 4, critical 4
  printf("%d %d\n", s, a[3]);
  return 0;
}
