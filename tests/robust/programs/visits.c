/* Visits that begin, or end, while events are switched off and on: ten of each. */
#include <stdio.h>

static int sum;

/* Visits within one that began while events were off count once events are on. */
static void on_within(void) {
#pragma pomp inst begin(outer)
#pragma pomp inst off
#pragma pomp inst begin(unseen)
#pragma pomp inst on
#pragma omp critical(within)
  sum++;
#pragma pomp inst end(unseen)
#pragma omp critical(behind)
  sum++;
#pragma pomp inst end(outer)
}

static void on_in_a_critical(void) {
#pragma pomp inst off
#pragma omp critical(unseen)
  {
#pragma pomp inst on
#pragma omp atomic
    sum++;
  }
}

/* A visit that began before ends as usual, and visits within it do not count. */
static void off_in_a_critical(void) {
#pragma omp critical(seen)
  {
#pragma pomp inst off
#pragma omp atomic
    sum++;
  }
#pragma pomp inst on
}

static void off_in_a_master(void) {
#pragma omp parallel num_threads(1)
  {
#pragma omp master
    {
#pragma pomp inst off
      sum++;
    }
#pragma omp critical(unseen)
    sum++;
#pragma pomp inst on
#pragma omp critical(last)
    sum++;
  }
}

int main(void) {
  for (int i = 0; i < 10; i++) {
    on_within();
    on_in_a_critical();
    off_in_a_critical();
    off_in_a_master();
  }
  printf("%d\n", sum);
  return 0;
}
