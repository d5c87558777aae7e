/* Loops of many shapes: the costs of their iterations, in processor time.  usage: schedules SHAPE */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { EXECUTIONS = 3, WORDS = 1 << 23 };

/* Seconds that all iterations of an execution take together. */
static const double TOTAL = 0.04;

static int number = 400;
static double *cost;
static long *memory;

static double processor_time(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void spin(double seconds) {
  double end = processor_time() + seconds;
  while (processor_time() < end)
    ;
}

/* Reads words that are far from each other: so long as the memory takes. */
static long read_memory(int i, double seconds) {
  long sum = 0, words = (long)(seconds * 2e8);
  unsigned long at = (unsigned long)i * 7919u;
  for (long k = 0; k < words; k++) {
    at = at * 6364136223846793005u + 1442695040888963407u;
    sum += memory[at >> 41];
  }
  return sum;
}

static double uniform(void) { return (double)rand() / RAND_MAX; }

static double shape_of(const char *shape, int i) {
  double x = (i + 0.5) / number;
#define SHAPE(name, value)                                                                         \
  if (!strcmp(shape, name))                                                                        \
  return value
  SHAPE("uniform", 1);
  SHAPE("rising", x);
  SHAPE("falling", 1 - x);
  SHAPE("quadratic", x * x);
  SHAPE("random", uniform());
  SHAPE("exponential", -log(uniform() + 1e-9));
  SHAPE("sorted", -log(1 - x));
  SHAPE("blocks", i * 8 / number % 2 ? 4 : 1);
  SHAPE("first-half", x < 0.5 ? 5 : 1);
  SHAPE("last-tenth", x > 0.9 ? 10 : 1);
  SHAPE("middle", exp(-50 * (x - 0.5) * (x - 0.5)));
  SHAPE("giants", rand() % 50 ? 1 : 40);
  SHAPE("giant-first", i ? 1 : 0.4 * number);
  SHAPE("giant-last", i < number - 1 ? 1 : 0.4 * number);
  SHAPE("sine", 1.1 + sin(20 * x));
  SHAPE("alternating", i % 2 ? 3 : 1);
  SHAPE("every-16th", i % 16 ? 1 : 16);
  SHAPE("few", 1 + i % 3);
  SHAPE("many", 0.5 + x);
  SHAPE("memory", 1);
  SHAPE("memory-rising", x);
  SHAPE("by-thread", 1);
  fprintf(stderr, "schedules: no shape %s\n", shape);
  exit(2);
}

static void prepare(const char *shape) {
  double sum = 0;
  if (!strcmp(shape, "few"))
    number = 7;
  if (!strcmp(shape, "many"))
    number = 10000;
  cost = malloc((size_t)number * sizeof *cost);
  for (int i = 0; i < number; i++)
    sum += cost[i] = shape_of(shape, i);
  for (int i = 0; i < number; i++)
    cost[i] *= TOTAL / sum;
  memory = malloc(WORDS * sizeof *memory);
  for (long k = 0; k < WORDS; k++)
    memory[k] = k;
}

int main(int argc, char **argv) {
  const char *shape = argc > 1 ? argv[1] : "uniform";
  int reads = !strncmp(shape, "memory", 6), by_thread = !strcmp(shape, "by-thread");
  long sum = 0;
  prepare(shape);
  for (int execution = 0; execution < EXECUTIONS; execution++) {
#pragma omp parallel for schedule(runtime) reduction(+ : sum)
    for (int i = 0; i < number; i++) {
      if (reads)
        sum += read_memory(i, cost[i]);
      else
        spin(by_thread ? cost[i] * (1 + omp_get_thread_num()) : cost[i]);
    }
  }
  printf("%ld\n", sum);
  return 0;
}
