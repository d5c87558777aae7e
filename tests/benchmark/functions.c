/* The hooks that gcc -finstrument-functions calls: the work of an event pair, done by the program
 * itself. -DHOOKS compiles them; without it, a loop that calls a function. */
#ifdef HOOKS
#include <stdint.h>
#include <x86intrin.h>

/* The rows of a thread's functions, by address, and the stack of its open functions. */
struct row {
  void *function;
  uint64_t count, ticks;
};
static __thread struct row rows[256];
static __thread struct {
  struct row *row;
  uint64_t start;
} open[64];
static __thread int depth;

static struct row *row_of(void *function) {
  uintptr_t i = (uintptr_t)function >> 4 & 255;
  while (rows[i].function != function && rows[i].function)
    i = (i + 1) & 255;
  rows[i].function = function;
  return &rows[i];
}

void __cyg_profile_func_enter(void *function, void *site) {
  (void)site;
  open[depth].row = row_of(function);
  open[depth++].start = __rdtsc();
}

void __cyg_profile_func_exit(void *function, void *site) {
  uint64_t now = __rdtsc();
  (void)function, (void)site;
  struct row *r = open[--depth].row;
  r->count++;
  r->ticks += now - open[depth].start;
}
#else
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define LOOP __attribute__((no_instrument_function))

static volatile int sink;
__attribute__((noinline)) void work(int i) { sink = i; }

LOOP static double nanoseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

LOOP static int ascending(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

LOOP int main(int argc, char **argv) {
  static double times[201];
  if (argc > 3)
    for (int i = 0; i < atoi(argv[3]); i++)
      work(i);
  for (int k = 0; k < 201 && argc < 4; k++) {
    double from = nanoseconds();
    for (int i = 0; i < 2000; i++)
      work(i);
    times[k] = (nanoseconds() - from) / 2000;
  }
  qsort(times, 201, sizeof *times, ascending);
  if (argc < 4)
    printf("region %.3f\n", times[100]);
  return 0;
}
#endif
