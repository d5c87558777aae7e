/* Statements that OPARI2 and pomp-clang both handle, in the form for OPARI2's fuzzy parser. */
#include <omp.h>
#include <stdio.h>

static int n, a[64];
static omp_lock_t lock;
static omp_nest_lock_t nest;

static void orphan(void) {
#pragma omp for schedule(dynamic, 3)
  for (int i = 0; i < 64; i++) {
    a[i] += i;
  }
#pragma omp critical(orphaned)
  {
    n++;
  }
}

static void synchronise(void) {
#pragma omp atomic
  n += 1;
#pragma omp flush(n)
#pragma omp barrier
#pragma omp master
  {
    n++;
  }
  omp_set_lock(&lock);
  n++;
  omp_unset_lock(&lock);
  omp_set_nest_lock(&nest);
  omp_set_nest_lock(&nest);
  n++;
  omp_unset_nest_lock(&nest);
  omp_unset_nest_lock(&nest);
}

static void share(int times) {
  for (int k = 0; k < times; k++) {
#pragma omp single
    {
      n++;
    }
#pragma omp single nowait
    {
      n++;
    }
#pragma omp sections
    {
#pragma omp section
      {
        a[0]++;
      }
#pragma omp section
      {
        a[1]++;
      }
#pragma omp section
      {
        a[2]++;
      }
    }
#pragma omp for nowait
    for (int i = 0; i < 64; i++) {
      a[i]++;
    }
#pragma omp barrier
  }
}

int main(void) {
  int sum = 0;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
  for (int k = 0; k < 3; k++) {
#pragma omp parallel num_threads(4)
    {
      orphan();
      synchronise();
      share(2);
    }
  }
#pragma omp parallel for schedule(static) reduction(+ : sum) num_threads(3)
  for (int i = 0; i < 64; i++) {
    sum += a[i];
  }
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    {
      a[0]++;
    }
#pragma omp section
    {
      a[1]++;
    }
  }
  orphan();
  while (!omp_test_lock(&lock)) {
  }
  omp_unset_lock(&lock);
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest);
  printf("%d\n", sum);
  return 0;
}
