/* Constructs of many threads at once, as tasks, on several devices, and of threads that are no OpenMP
 * runtime's. */
#include <pthread.h>
#include <stdio.h>

#define TASKS 300
#define VISITS 50
#define THREADS 3
#define LATER 20

static int a[16][64];

static void *foreign(void *unused) {
  (void)unused;
  for (int visit = 0; visit < VISITS; visit++)
#pragma omp target map(tofrom : a[15])
    a[15][0]++;
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < TASKS; i++) {
#pragma omp target nowait map(tofrom : a[i % 8])
    a[i % 8][1]++;
#pragma omp target nowait device(i % 4) map(to : a[8 + i % 4])
    a[8 + i % 4][1]++;
  }
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, foreign, NULL);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < LATER; i++) {
    pthread_create(threads, NULL, foreign, NULL);
    pthread_join(threads[0], NULL);
  }
  printf("%d\n", a[15][0] > 0);
}
