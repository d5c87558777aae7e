/* Records events of many kinds: the argument is the number of turns of 73 events, over the team.
 * Prints the bytes of the process's own memory at the end, which is the maximum: a trace returns
 * no memory. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static volatile int sink;

static void turn(omp_lock_t *lock) {
  for (int i = 0; i < 10; i++) {
#pragma pomp inst begin(pair)
    sink = i;
#pragma pomp inst end(pair)
#pragma omp critical
    sink = i;
  }
#pragma omp task
  sink = 1;
#pragma omp taskwait
  omp_set_lock(lock);
  omp_unset_lock(lock);
}

/* Counted page by page: the kernel's own sum (VmHWM) may be 64 pages off for each processor, and
 * the trace does not determine the resident pages of libraries. */
static void print_memory(void) {
  char line[256];
  long kilobytes;
  FILE *file = fopen("/proc/self/smaps_rollup", "r");
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "Anonymous: %ld", &kilobytes) == 1)
      printf("memory %ld\n", kilobytes * 1024);
}

int main(int argc, char **argv) {
  int turns = argc > 1 ? atoi(argv[1]) : 1000;
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel
  for (int i = 0; i < turns; i += 100) {
#pragma omp for
    for (int j = 0; j < 100; j++)
      turn(&lock);
#pragma omp single
    sink = i;
  }
  omp_destroy_lock(&lock);
  print_memory();
  return 0;
}
