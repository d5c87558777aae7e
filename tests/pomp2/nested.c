/* Teams within teams, tasks that wait, move and recur, and waits where other tasks may run. */
#include <omp.h>
#include <stdio.h>

static long fibonacci(int n) {
  long a, b;
  if (n < 2)
    return n;
#pragma omp task shared(a) untied
  a = fibonacci(n - 1);
#pragma omp task shared(b) if (n > 3)
  b = fibonacci(n - 2);
#pragma omp taskwait
  return a + b;
}

static void inner_team(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp for nowait
    for (int i = 0; i < 4; i++) {
#pragma omp critical
      { volatile int x = i; x++; }
    }
#pragma omp barrier
  }
}

int main(void) {
  long sum = 0;
  omp_set_max_active_levels(3);
  for (int turn = 0; turn < 3; turn++) {
#pragma omp parallel num_threads(2) reduction(+ : sum)
    {
#pragma omp parallel num_threads(2) reduction(+ : sum)
      {
#pragma omp single
        {
#pragma omp taskgroup
          {
            sum += fibonacci(8);
#pragma omp task
            inner_team();
          }
#pragma omp taskloop grainsize(2)
          for (int i = 0; i < 8; i++) {
            volatile int y = i;
            y++;
          }
#pragma omp taskyield
        }
#pragma omp masked
        sum += 0;
      }
    }
  }
  return sum != 3 * 21 * 2;
}
