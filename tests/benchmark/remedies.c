/* Programs with an inefficiency that a remedy ends: remedies NAME [REMEDY]. Prints the seconds that
 * the part took. Work is arithmetic of a known number of steps. */
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static double result[4096];
static volatile double sink;

static double compute(int from, int steps) {
  double value = from;
  for (int i = 0; i < steps; i++)
    value = value * 0.999999 + 1e-3;
  return value;
}

/* Many small regions one after the other. */
enum { REGIONS = 6000, PART = 600 };

static void regions(void) {
  for (int turn = 0; turn < REGIONS; turn++) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 8; i++)
      result[8 * i] = compute(i, PART);
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 8; i++)
      result[8 * i] += compute(i, PART);
  }
}

static void one_region(void) {
#pragma omp parallel
  for (int turn = 0; turn < REGIONS; turn++) {
#pragma omp for schedule(static)
    for (int i = 0; i < 8; i++)
      result[8 * i] = compute(i, PART);
#pragma omp for schedule(static)
    for (int i = 0; i < 8; i++)
      result[8 * i] += compute(i, PART);
  }
}

/* A critical section around one update. */
enum { UPDATES = 120000, BETWEEN = 60 };

static double with_critical(void) {
  double sum = 0;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < UPDATES; i++) {
    double own = compute(i, BETWEEN);
#pragma omp critical
    sum += own;
  }
  return sum;
}

static double with_atomic(void) {
  double sum = 0;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < UPDATES; i++) {
    double own = compute(i, BETWEEN);
#pragma omp atomic
    sum += own;
  }
  return sum;
}

static double with_reduction(void) {
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int i = 0; i < UPDATES; i++)
    sum += compute(i, BETWEEN);
  return sum;
}

static void critical(void) { sink = with_critical(); }
static void atomic(void) { sink = with_atomic(); }
static void reduction(void) { sink = with_reduction(); }

/* A tree of tasks, whose leaves are too small. */
enum { DEPTH = 14, LEAF = 200 };

static void walk(int depth, int least) {
  if (depth == 0) {
    sink = compute(depth, LEAF);
    return;
  }
  if (depth <= least) {
    walk(depth - 1, least);
    walk(depth - 1, least);
    return;
  }
#pragma omp task
  walk(depth - 1, least);
#pragma omp task
  walk(depth - 1, least);
#pragma omp taskwait
}

static void tree(int least) {
#pragma omp parallel
#pragma omp single
  walk(DEPTH, least);
}

static void tasks(void) { tree(0); }
static void larger_tasks(void) { tree(8); }

/* Rounds of uneven tasks, each of which needs only its own predecessor. */
enum { ROUNDS = 60, COLUMNS = 2, STEP = 100000 };

static int steps_of(int round, int column) { return (round + column) % 2 ? STEP : STEP / 10; }

static void rounds(void) {
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < ROUNDS; round++) {
    for (int column = 0; column < COLUMNS; column++) {
#pragma omp task firstprivate(round, column)
      result[64 * column] += compute(column, steps_of(round, column));
    }
#pragma omp taskwait
  }
}

static void dependences(void) {
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < ROUNDS; round++) {
    for (int column = 0; column < COLUMNS; column++) {
#pragma omp task firstprivate(round, column) depend(inout : result[64 * column])
      result[64 * column] += compute(column, steps_of(round, column));
    }
  }
}

/* Naps, so that there may be more threads than processors. */
enum { SERIAL = 200, NAPS = 64, NAP = 5 };

static void naps(long milliseconds) {
  struct timespec time = {0, milliseconds * 1000000};
  nanosleep(&time, NULL);
}

static void threads(void) {
  naps(SERIAL);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < NAPS; i++)
    naps(NAP);
}

static const struct {
  const char *name, *remedy;
  void (*run)(void);
} parts[] = {
    {"regions", "", regions},
    {"regions", "one region", one_region},
    {"critical", "", critical},
    {"critical", "atomic", atomic},
    {"critical", "reduction", reduction},
    {"tasks", "", tasks},
    {"tasks", "larger tasks", larger_tasks},
    {"rounds", "", rounds},
    {"rounds", "depend", dependences},
    {"threads", "", threads},
};

int main(int argc, char **argv) {
  const char *remedy = argc > 2 ? argv[2] : "";
#pragma omp parallel
  result[omp_get_thread_num()] = 0;
  for (size_t i = 0; argc > 1 && i < sizeof parts / sizeof *parts; i++) {
    if (strcmp(argv[1], parts[i].name) != 0 || strcmp(remedy, parts[i].remedy) != 0)
      continue;
    double begin = omp_get_wtime();
    parts[i].run();
    printf("seconds %.9f\n", omp_get_wtime() - begin);
  }
  return 0;
}
