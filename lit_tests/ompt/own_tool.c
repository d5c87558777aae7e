// A source with an OMPT tool of its own has no barrier but its own, which the tool sees alone.
// REQUIRES: clang
// RUN: %pomp rewrite %s -- %clang -fopenmp | sed -e '\,^ *//,d' | FileCheck --check-prefix=TEXT %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp %s -o %t.exe
// RUN: rm -rf %t.exp && env POMP_EXPERIMENT_DIR=%t.exp %t.exe | FileCheck --check-prefix=RAN %s
// RUN: %pomp report --all %t.exp | FileCheck --check-prefix=REPORT %s
#include <stdio.h>

/* Declarations from OpenMP's omp-tools.h, which gcc does not ship (OpenMP 5.2, chapter 19). */
enum { SYNC_REGION = 23, BARRIER_EXPLICIT = 3 };
typedef void (*Entry)(void);
typedef Entry (*Lookup)(const char *);
typedef int (*Set_callback)(int, Entry);
typedef struct Result {
  int (*initialize)(Lookup, int, void *);
  void (*finalize)(void *);
  unsigned long long data;
} Result;

static int spelt;

static void on_region(int kind, int end, void *team, void *task, const void *at) {
  (void)end, (void)team, (void)task, (void)at;
  if (kind == BARRIER_EXPLICIT)
    spelt++;
}

static int start(Lookup lookup, int device, void *data) {
  (void)device, (void)data;
  ((Set_callback)lookup("ompt_set_callback"))(SYNC_REGION, (Entry)on_region);
  return 1;
}

static void finish(void *data) { (void)data; }

Result *ompt_start_tool(unsigned version, const char *runtime) {
  static Result result = {start, finish, 0};
  (void)version, (void)runtime;
  return &result;
}

int main(void) {
  int a[2];
#pragma omp parallel num_threads(2)
#pragma omp for
  for (int i = 0; i < 2; i++)
    a[i] = i;
  printf("%d, %d spelt\n", a[1], spelt);
}
// TEXT-NOT: nowait
// TEXT-NOT: omp barrier
// RAN: 1, 0 spelt
// REPORT: The implied barriers of 2 regions were not measured
