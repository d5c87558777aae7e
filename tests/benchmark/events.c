/* Prints nanoseconds a turn of loops that hold one construct each: of many short stretches the
 * median.  Arguments: "off" switches events off; "count NAME TURNS" runs one loop and prints
 * nothing; "mean NAME TURNS" runs it and prints nanoseconds of processor time a turn; "stretches
 * NAME NUMBER" prints, for NUMBER stretches, the times of the yardstick around it and of a turn.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __x86_64__
#include <x86intrin.h>
#define STAMP() __rdtsc()
#else
#define STAMP() __builtin_readcyclecounter()
#endif

enum { INTERVALS = 201 };
static volatile int sink;
static volatile unsigned long long stamps[2];
static int shared;

__attribute__((noinline)) void bare(int turns) {
  for (int i = 0; i < turns; i++)
    sink = i;
}

/* The code between two readings of the clock, and no more. */
__attribute__((noinline)) void stamped(int turns) {
  for (int i = 0; i < turns; i++) {
    stamps[0] = STAMP();
    sink = i;
    stamps[1] = STAMP();
  }
}

__attribute__((noinline)) void region(int turns) {
  for (int i = 0; i < turns; i++) {
#pragma pomp inst begin(pair)
    sink = i;
#pragma pomp inst end(pair)
  }
}

__attribute__((noinline)) void master(int turns) {
  for (int i = 0; i < turns; i++) {
#pragma omp master
    sink = i;
  }
}

__attribute__((noinline)) void atomic(int turns) {
  for (int i = 0; i < turns; i++) {
#pragma omp atomic
    shared++;
  }
}

__attribute__((noinline)) void critical(int turns) {
  for (int i = 0; i < turns; i++) {
#pragma omp critical
    shared++;
  }
}

__attribute__((noinline)) void parallel(int turns) {
  for (int i = 0; i < turns; i++) {
#pragma omp parallel num_threads(1)
    sink = i;
  }
}

static const struct loop {
  const char *name;
  void (*run)(int);
  int turns;
} loops[] = {{"bare", bare, 2000},       {"stamps", stamped, 2000}, {"region", region, 2000},
             {"master", master, 2000},   {"atomic", atomic, 2000},  {"critical", critical, 2000},
             {"parallel", parallel, 200}};
enum { LOOPS = sizeof loops / sizeof *loops };

static double nanoseconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

static void measure(const struct loop *l) {
  static double times[INTERVALS];
  for (int i = 0; i < INTERVALS; i++) {
    double from = nanoseconds(CLOCK_MONOTONIC);
    l->run(l->turns);
    times[i] = (nanoseconds(CLOCK_MONOTONIC) - from) / l->turns;
  }
  qsort(times, INTERVALS, sizeof *times, ascending);
  printf("%s %.3f\n", l->name, times[INTERVALS / 2]);
}

/* Includes the kernel's time; the process's time also includes other threads' work for this one. */
static void print_mean(const struct loop *l, int turns) {
  double thread = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
  double process = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
  l->run(turns);
  printf("thread %.3f\n", (nanoseconds(CLOCK_THREAD_CPUTIME_ID) - thread) / turns);
  printf("process %.3f\n", (nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - process) / turns);
}

/* Runs as many additions at a time as the processor has units for. It shows any other use of the
 * units, such as another thread on the same core, whatever program that belongs to. */
__attribute__((noinline)) static void yardstick(void) {
  unsigned long a = 0, b = 1, c = 2, d = 3;
  for (int i = 0; i < 2000; i++) {
    a++, b++, c++, d++;
    __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
    a++, b++, c++, d++;
    __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
  }
}

static void print_stretches(const struct loop *l, int number) {
  enum { TURNS = 500 };
  for (int i = 0; i < number; i++) {
    double begin = nanoseconds(CLOCK_MONOTONIC);
    yardstick();
    double from = nanoseconds(CLOCK_MONOTONIC);
    l->run(TURNS);
    double to = nanoseconds(CLOCK_MONOTONIC);
    yardstick();
    double end = nanoseconds(CLOCK_MONOTONIC);
    printf("%.1f %.3f\n", from - begin + end - to, (to - from) / TURNS);
  }
}

int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "off")) {
#pragma pomp inst off
  }
  for (int i = 0; i < LOOPS; i++)
    if (argc < 4)
      measure(&loops[i]);
    else if (strcmp(argv[2], loops[i].name) != 0)
      continue;
    else if (!strcmp(argv[1], "mean"))
      print_mean(&loops[i], atoi(argv[3]));
    else if (!strcmp(argv[1], "stretches"))
      print_stretches(&loops[i], atoi(argv[3]));
    else
      loops[i].run(atoi(argv[3]));
  return 0;
}
