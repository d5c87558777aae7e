/* Tasks and teams, nested, that count and that do not. */
#include <omp.h>
#include <stdio.h>

static int sum;

static void jobs(int count) {
  for (int i = 0; i < count; i++) {
#pragma omp task
    {
#pragma omp critical(inside)
      sum++;
    }
  }
#pragma omp taskwait
}

static void team(void) {
#pragma omp parallel num_threads(2)
#pragma omp critical(teams)
  sum++;
}

int main(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
#pragma omp barrier
#pragma omp master
    {
      jobs(10);
      team();
#pragma pomp inst off
      jobs(20);
      team();
#pragma pomp inst on
      jobs(5);
      team();
    }
  }
  printf("%d\n", sum);
  return 0;
}
