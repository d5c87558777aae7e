/* Repeats one of each construct at which threads wait for each other, also in a region within a
 * region, whose teams have one thread each. */
#include <omp.h>
#include <stdio.h>

#define SIZE 200
#define TIMES 300

static int a[SIZE], count;
static omp_lock_t lock;

static void tasks(void) {
  for (int i = 0; i < 4; i++)
#pragma omp task
    a[i]++;
#pragma omp taskwait
#pragma omp taskgroup
  {
#pragma omp task
    a[4]++;
  }
}

static void shared(void) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < SIZE; i++)
      a[i]++;
#pragma omp for ordered
    for (int i = 0; i < 4; i++)
#pragma omp ordered
      count++;
#pragma omp sections
    {
#pragma omp section
      a[0]++;
#pragma omp section
      a[1]++;
    }
#pragma omp critical
    count++;
    omp_set_lock(&lock);
    count++;
    omp_unset_lock(&lock);
#pragma omp barrier
#pragma omp master
    a[2]++;
#pragma omp single
    tasks();
#pragma omp single
#pragma omp taskloop
    for (int i = 0; i < 4; i++)
      a[i]++;
  }
}

static void inner(int *mine) {
#pragma omp parallel for
  for (int i = 0; i < SIZE; i++)
    mine[i]++;
}

static void nested(void) {
#pragma omp parallel
  {
    int mine[SIZE] = {0};
    for (int i = 0; i < TIMES; i++)
      inner(mine);
#pragma omp atomic
    count += mine[0];
  }
}

int main(void) {
  omp_init_lock(&lock);
  for (int i = 0; i < TIMES; i++)
    shared();
  nested();
  printf("%d\n", count > 0);
}
