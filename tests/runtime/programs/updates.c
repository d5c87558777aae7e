/* Prints the seconds of an atomic update: the least of several loops. */
#include <stdio.h>
#include <time.h>

#include "pomp.h"

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(void) {
  enum { UPDATES = 10000, LOOPS = 200 };
  static int word;
  double least = 1;
  POMP_Init();
  for (int loop = 0; loop < LOOPS; loop++) {
    double begin = now();
    for (int i = 0; i < UPDATES; i++)
      __atomic_fetch_add(&word, 1, __ATOMIC_RELAXED);
    double took = (now() - begin) / UPDATES;
    least = took < least ? took : least;
  }
  printf("%.12f\n", least);
  return 0;
}
