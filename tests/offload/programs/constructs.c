/* Each form of target construct, so often; the host sleeps within `target data` and beside it. */
#include <stdio.h>
#include <unistd.h>

#define SIZE 1000

static int a[SIZE], b[SIZE];

static void worked(void) {
  for (int visit = 0; visit < 3; visit++)
#pragma omp target teams distribute parallel for map(tofrom : a)
    for (int i = 0; i < SIZE; i++)
      a[i]++;
}

static void mapped(void) {
#pragma omp target data map(tofrom : a)
  {
    for (int visit = 0; visit < 4; visit++)
#pragma omp target
      for (int i = 0; i < SIZE; i++)
        a[i]++;
    usleep(200000);
#pragma omp target update from(a)
  }
#pragma omp target enter data map(to : b)
#pragma omp target exit data map(delete : b)
}

static void in_a_team(void) {
#pragma omp parallel num_threads(2)
#pragma omp target nowait map(tofrom : b)
  b[0]++;
}

static void by_a_loop(void) {
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < SIZE; i++)
    b[i] = i;
}

int main(void) {
  worked();
  mapped();
  in_a_team();
  by_a_loop();
  usleep(100000);
  printf("%d\n", a[SIZE - 1]);
}
