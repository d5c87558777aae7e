/* Programs with an inefficiency, and what they are without it: gains uneven|critical|serial
 * [fixed]. Prints the seconds that the part took. */
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 300, STEPS = 12000 };

static double result[1024];

static double compute(int from, int steps) {
  double value = from;
  for (int i = 0; i < 40 * steps; i++)
    value = value * 0.999999 + 1e-3;
  return value;
}

static void uneven(void) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < 2 * ROUNDS; i++)
    result[i] = compute(i, 60 * i);
}

static void even(void) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < 2 * ROUNDS; i++)
    result[i] = compute(i, 60 * i);
}

static void shared_sum(void) {
  double sum = 0;
#pragma omp parallel for
  for (int i = 0; i < ROUNDS; i++) {
    double part = compute(i, STEPS / 3);
#pragma omp critical
    sum += compute(i + 1, STEPS) + part;
  }
  result[0] = sum;
}

static void private_sums(void) {
  double sum = 0;
#pragma omp parallel
  {
    double own = 0;
#pragma omp for
    for (int i = 0; i < ROUNDS; i++) {
      double part = compute(i, STEPS / 3);
      own += compute(i + 1, STEPS) + part;
    }
#pragma omp critical
    sum += own;
  }
  result[0] = sum;
}

static void serial(void) {
#pragma omp parallel for
  for (int i = 0; i < ROUNDS; i++)
    result[i] = compute(i, STEPS);
#pragma pomp inst begin(alone)
  for (int i = 0; i < ROUNDS; i++)
    result[i] = compute((int)result[i] & 7, STEPS);
#pragma pomp inst end(alone)
}

static void parallel(void) {
#pragma omp parallel for
  for (int i = 0; i < ROUNDS; i++)
    result[i] = compute(i, STEPS);
#pragma omp parallel for
  for (int i = 0; i < ROUNDS; i++)
    result[i] = compute((int)result[i] & 7, STEPS);
}

static const struct {
  const char *name;
  void (*as_it_is)(void), (*fixed)(void);
} parts[] = {
    {"uneven", uneven, even}, {"critical", shared_sum, private_sums}, {"serial", serial, parallel}};

int main(int argc, char **argv) {
#pragma omp parallel
  result[omp_get_thread_num()] = 0;
  for (size_t i = 0; argc > 1 && i < sizeof parts / sizeof *parts; i++) {
    if (strcmp(argv[1], parts[i].name) != 0)
      continue;
    double begin = omp_get_wtime();
    (argc > 2 ? parts[i].fixed : parts[i].as_it_is)();
    printf("seconds %.9f\n", omp_get_wtime() - begin);
  }
  return 0;
}
