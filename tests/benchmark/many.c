/* Criticals and atomics, with the count for each thread as the first argument. Prints their sum,
 * and the process's growth in KiB after the first hundredth. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

static long criticals, atomics;

static long resident(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

static void run(long turns) {
#pragma omp parallel
  {
    for (long i = 0; i < turns; i++) {
#pragma omp atomic
      atomics++;
    }
    for (long i = 0; i < turns; i++) {
#pragma omp critical
      criticals++;
    }
  }
}

int main(int argc, char **argv) {
  long turns = argc > 1 ? atol(argv[1]) : 1000;
  run(turns / 100);
  long before = resident();
  run(turns - turns / 100);
  printf("%ld %ld %ld\n", atomics, criticals, resident() - before);
  return 0;
}
