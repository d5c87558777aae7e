/* A run whose call paths and threads give a million severities. The argument is the number of
 * turns. Six nested regions, three deep, each end with a critical section, an uneven loop and a
 * barrier. */
#include <stdlib.h>

static volatile int sink;

static void work(int amount) {
  for (int i = 0; i < amount; i++)
    sink = i;
}

static void leaf(void) {
#pragma omp critical
  work(2);
#pragma omp for schedule(static, 1)
  for (int i = 0; i < 64; i++)
    work(i);
#pragma omp barrier
}

static void node(int depth) {
  if (!depth) {
    leaf();
    return;
  }
#pragma pomp inst begin(one)
  node(depth - 1);
#pragma pomp inst end(one)
#pragma pomp inst begin(two)
  node(depth - 1);
#pragma pomp inst end(two)
#pragma pomp inst begin(three)
  node(depth - 1);
#pragma pomp inst end(three)
#pragma pomp inst begin(four)
  node(depth - 1);
#pragma pomp inst end(four)
#pragma pomp inst begin(five)
  node(depth - 1);
#pragma pomp inst end(five)
#pragma pomp inst begin(six)
  node(depth - 1);
#pragma pomp inst end(six)
}

int main(int argc, char **argv) {
  int turns = argc > 1 ? atoi(argv[1]) : 1;
#pragma omp parallel
  for (int i = 0; i < turns; i++)
    node(3);
  return 0;
}
