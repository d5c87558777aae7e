/* Preloaded: the monotonic clock advances by 100 ns with each reading, and only then, so that an
 * event costs 100 ns for each of its readings. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
  static long nanoseconds = 1000000000;
  if (clock != CLOCK_MONOTONIC)
    return (int)syscall(SYS_clock_gettime, clock, time);
  long now = __atomic_add_fetch(&nanoseconds, 100, __ATOMIC_RELAXED);
  time->tv_sec = now / 1000000000;
  time->tv_nsec = now % 1000000000;
  return 0;
}
