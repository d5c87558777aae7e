/* Kernels of constructs with `nowait` that run at the same time: each waits for the other. */
#include <stdio.h>
#include <stdlib.h>

#define SIZE 250000
#define ROUNDS 3

static double left[SIZE], right[SIZE];

static volatile int *arrived;

static void meet(volatile int *counter, int count) {
  __atomic_fetch_add(counter, 1, __ATOMIC_SEQ_CST);
  for (long i = 0; i < 4000000000L && __atomic_load_n(counter, __ATOMIC_SEQ_CST) < count; i++)
    continue;
}

int main(void) {
  arrived = calloc(ROUNDS, sizeof *arrived);
  for (int round = 0; round < ROUNDS; round++) {
    volatile int *counter = arrived + round;
#pragma omp target nowait map(tofrom : left) is_device_ptr(counter)
    {
      for (int i = 0; i < SIZE; i++)
        left[i] += i;
      meet(counter, 2);
    }
#pragma omp target nowait map(to : right) is_device_ptr(counter)
    meet(counter, 2);
#pragma omp taskwait
  }
  printf("%g\n", left[1] + arrived[0]);
}
