/* Prints nanoseconds a turn of loops that hold one construct each, single-threaded. */
#include <omp.h>
#include <stdio.h>

enum { TURNS = 2000000, REGIONS = 20000 };
static volatile int sink;

static void say(const char *name, double from, int turns) {
  printf("%s %.2f\n", name, (omp_get_wtime() - from) * 1e9 / turns);
}

int main(void) {
  int n = 0;
  double from = omp_get_wtime();
  for (int i = 0; i < TURNS; i++) {
#pragma pomp inst begin(pair)
    sink = i;
#pragma pomp inst end(pair)
  }
  say("region", from, TURNS);
  from = omp_get_wtime();
  for (int i = 0; i < TURNS; i++) {
#pragma omp master
    sink = i;
  }
  say("master", from, TURNS);
  from = omp_get_wtime();
  for (int i = 0; i < TURNS; i++) {
#pragma omp atomic
    n++;
  }
  say("atomic", from, TURNS);
  from = omp_get_wtime();
  for (int i = 0; i < TURNS; i++) {
#pragma omp critical
    n++;
  }
  say("critical", from, TURNS);
  from = omp_get_wtime();
  for (int i = 0; i < REGIONS; i++) {
#pragma omp parallel num_threads(2)
    sink = i;
  }
  say("parallel", from, REGIONS);
  return n == 0;
}
