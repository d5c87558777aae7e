/* Target constructs whose launches, transfers and bytes are known. */
#include <omp.h>
#include <stdio.h>

#define SIZE 1000

static double a[SIZE], b[SIZE];

static void whole(void) {
  for (int visit = 0; visit < 5; visit++)
#pragma omp target teams distribute parallel for map(to : a) map(tofrom : b)
    for (int i = 0; i < SIZE; i++)
      b[i] += a[i];
}

static void within_data(void) {
#pragma omp target data map(to : a)
  {
    for (int visit = 0; visit < 3; visit++)
#pragma omp target map(tofrom : b[0 : SIZE / 2]) map(to : a)
      b[visit] += a[visit];
#pragma omp target update to(a)
#pragma omp target update from(a[0 : 10])
  }
}

static void unstructured(void) {
#pragma omp target enter data map(to : a) map(alloc : b)
#pragma omp target exit data map(from : b) map(delete : a)
}

static void as_tasks(void) {
  for (int visit = 0; visit < 4; visit++)
#pragma omp target parallel for nowait depend(inout : b) map(from : b)
    for (int i = 0; i < SIZE; i++)
      b[i] = i;
#pragma omp taskwait
}

static void on_the_host(void) {
  for (int visit = 0; visit < 6; visit++)
#pragma omp target if (visit % 3 == 0) map(to : a)
    a[0] += 0;
}

static void by_two_threads(void) {
#pragma omp parallel num_threads(2)
  {
    int own[SIZE] = {omp_get_thread_num()};
    for (int visit = 0; visit < 50; visit++)
#pragma omp target teams num_teams(2) map(tofrom : own)
      own[0] += omp_get_team_num() == 0;
#pragma omp critical
    a[0] += own[0];
  }
}

static void by_routines(void) {
  int device = omp_get_default_device(), host = omp_get_initial_device();
  void *there = omp_target_alloc(sizeof a, device);
  omp_target_memcpy(there, a, sizeof a, 0, 0, device, host);
  omp_target_memcpy(a, there, sizeof a / 2, 0, 0, host, device);
  omp_target_free(there, device);
}

int main(void) {
  whole();
  within_data();
  unstructured();
  as_tasks();
  on_the_host();
  by_two_threads();
  by_routines();
  printf("%g\n", a[0] + b[1]);
}
