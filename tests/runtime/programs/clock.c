/* Prints what CLOCK_MONOTONIC takes a user region for, from inside and from outside, in ns. */
#include "pomp_test.h"

#include <stdio.h>
#include <time.h>

FUNCTION(work, "work", 10);

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(void) {
  long long before = now();
  POMP_Begin(&work);
  long long begin = now();
  sleep_ms(200);
  long long end = now();
  POMP_End(&work);
  printf("%lld %lld\n", end - begin, now() - before);
  return 0;
}
