/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/clock.h"

#include "system/syscalls.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SECOND UINT64_C(1000000000)
#define CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

/* The frequency is measured over at least this time.  A pair of readings lies some 30 ns apart, so
 * the error is below a thousandth, and far below it at the end of a run. */
#define SHORTEST (SECOND / 10000)

/* One moment by both clocks. */
struct moment {
  uint64_t counter, nanoseconds;
};

bool pomp_clock_counts;
static struct moment load;

/* Not on the stack, where ThreadSanitizer would see clock_gettime write to what the threads
 * of a team have read. */
static __thread __attribute__((tls_model("initial-exec"))) volatile struct timespec reading;

/* A signal handler may come between and read the clock too. */
uint64_t pomp_clock_nanoseconds(void) {
  time_t seconds;
  long nanoseconds;
  do {
    clock_gettime(CLOCK_MONOTONIC, (struct timespec *)&reading);
    seconds = reading.tv_sec;
    nanoseconds = reading.tv_nsec;
  } while (seconds != reading.tv_sec);
  return (uint64_t)seconds * SECOND + (uint64_t)nanoseconds;
}

/* By the system call itself, which ThreadSanitizer does not see write to the stack. */
uint64_t pomp_clock_of_thread(int clock) {
  struct timespec time;
  if (syscall(SYS_clock_gettime, clock, &time) != 0)
    return 0;
  return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

/* Reads both clocks several times, and returns the reading that was interrupted least. */
static struct moment read_both(void) {
  struct moment best = {0, 0};
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < 4; i++) {
    uint64_t before = pomp_clock_counter();
    uint64_t nanoseconds = pomp_clock_nanoseconds();
    uint64_t took = pomp_elapsed(before, pomp_clock_counter());
    if (took < least) {
      least = took;
      best = (struct moment){before + took / 2, nanoseconds};
    }
  }
  return best;
}

#ifdef POMP_CLOCK_COUNTER
/* The kernel watches the counters of all processors, and falls back to another source when
 * they stop or drift apart. */
static bool is_vouched_for(void) {
  char name[32] = "";
  int fd = sys_open(CLOCKSOURCE, O_RDONLY | O_CLOEXEC, 0);
  if (fd < 0)
    return false;
  ssize_t length = sys_read(fd, name, sizeof name - 1);
  sys_close(fd);
  if (length <= 0)
    return false;
  name[strcspn(name, "\n")] = '\0';
  return !strcmp(name, "tsc") || !strcmp(name, "arch_sys_counter");
}
#else
#define POMP_CLOCK_COUNTER ""
static bool is_vouched_for(void) { return false; }
#endif

void pomp_clock_load(void) {
  if (!load.nanoseconds)
    load = read_both();
}

void pomp_clock_start(bool wanted) {
  pomp_clock_load();
  pomp_clock_counts = wanted && is_vouched_for();
  while (pomp_clock_counts && pomp_clock_nanoseconds() - load.nanoseconds < SHORTEST)
    ;
}

uint64_t pomp_clock_loaded(void) { return pomp_clock_counts ? load.counter : load.nanoseconds; }

uint64_t pomp_clock_frequency(void) {
  if (!pomp_clock_counts)
    return SECOND;
  struct moment now = read_both();
  uint64_t took = now.nanoseconds - load.nanoseconds;
  return (uint64_t)((unsigned __int128)(now.counter - load.counter) * SECOND / (took ? took : 1));
}

const char *pomp_clock_name(void) {
  return pomp_clock_counts ? POMP_CLOCK_COUNTER : "clock_gettime(CLOCK_MONOTONIC)";
}
