/* Constructs to step through by one thread: first the lines of main, then those of a region. */
#include <stdio.h>
static int total;

static void add(int n) {
#pragma omp critical
  {
    total += n;
  }
}

static int before(int n) {
  int m = n + 1;
  return m;
}

int main(void) {
  int x = before(1);
  printf("a %d\n", x);
#pragma omp parallel for num_threads(1)
  for (int i = 0; i < 2; i++) {
    add(i);
    total += i;
  }
  printf("b\n");
#pragma omp parallel num_threads(1) default(none) shared(x, total)
  {
#pragma omp single
    {
      x++;
      total++;
    }
#pragma omp critical
    x++;
#pragma omp master
    {
#pragma omp task shared(x)
      x += 2;
#pragma omp taskwait
    }
#pragma omp sections
    {
#pragma omp section
      x += 4;
    }
  }
#pragma omp parallel num_threads(1)
#pragma omp single
  {
#pragma omp task
    add(1);
    total += 3;
  }
#pragma omp atomic
  total++;
  printf("c %d %d\n", x, total);
  return 0;
}
