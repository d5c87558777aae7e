/* Empty parallel regions, in turn as they are and as they are measured: prints the nanoseconds of a
 * region as it is, and the median of what measuring adds.  BLOCK names the regions of a compile
 * without main. */
#ifdef BLOCK

void BLOCK(int regions) {
  volatile int sum = 0;
  for (int i = 0; i < regions; i++) {
#pragma omp parallel
    if (i < 0)
      sum = i;
  }
}

#else

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { REGIONS = 1000, TURNS = 200 };

void bare(int regions);
void measured(int regions);

/* Nanoseconds of a region. */
static double timed(void (*block)(int)) {
  struct timespec from, to;
  clock_gettime(CLOCK_MONOTONIC, &from);
  block(REGIONS);
  clock_gettime(CLOCK_MONOTONIC, &to);
  return ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)) / REGIONS;
}

static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

int main(void) {
  static double plain[TURNS], added[TURNS];
  timed(bare), timed(measured);
  for (int turn = 0; turn < TURNS; turn++) {
    double first = timed(turn % 2 ? bare : measured);
    double second = timed(turn % 2 ? measured : bare);
    plain[turn] = turn % 2 ? first : second;
    added[turn] = turn % 2 ? second - first : first - second;
  }
  qsort(plain, TURNS, sizeof *plain, compare);
  qsort(added, TURNS, sizeof *added, compare);
  printf("%.1f %.1f\n", plain[TURNS / 2], added[TURNS / 2]);
}

#endif
