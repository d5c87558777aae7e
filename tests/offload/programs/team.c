/* A team of two waits for a kernel of 20 ms, ten times; a macro names the construct at whose end. */
#include <unistd.h>

enum { TURNS = 10, KERNEL = 20000 };

static double a[100], large[4000000];

int main(void) {
#pragma omp target data map(tofrom : a)
  {
#pragma omp target nowait
    usleep(1);
#pragma omp taskwait
    for (int turn = 0; turn < TURNS; turn++) {
#if defined(SINGLE)
#pragma omp parallel
#pragma omp single
#pragma omp target
      usleep(KERNEL);
#elif defined(HALF)
#pragma omp parallel
#pragma omp single
      {
#pragma omp target
        usleep(KERNEL);
        usleep(KERNEL);
      }
#elif defined(BARRIER)
#pragma omp parallel
      {
#pragma omp master
        {
#pragma omp target
          usleep(KERNEL);
        }
#pragma omp barrier
      }
#elif defined(LOOP)
#pragma omp parallel for
      for (int i = 0; i < 2; i++) {
        if (i == turn % 2) {
#pragma omp target
          usleep(KERNEL);
        }
      }
#elif defined(SECTIONS)
#pragma omp parallel sections
      {
#pragma omp section
        {
#pragma omp target
          usleep(KERNEL);
        }
#pragma omp section
        a[0]++;
      }
#elif defined(SINGLE_NOWAIT)
#pragma omp parallel
#pragma omp single
      {
#pragma omp target nowait
        usleep(KERNEL);
      }
#elif defined(BARRIER_NOWAIT)
#pragma omp parallel
      {
#pragma omp master
        {
#pragma omp target nowait
          usleep(KERNEL);
        }
#pragma omp barrier
      }
#elif defined(REGION_NOWAIT)
#pragma omp parallel
#pragma omp master
      {
#pragma omp target nowait
        usleep(KERNEL);
      }
#elif defined(TASKWAIT)
#pragma omp parallel
#pragma omp single
      {
#pragma omp target nowait
        usleep(KERNEL);
#pragma omp taskwait
      }
#elif defined(TASKGROUP)
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
      {
#pragma omp target nowait
        usleep(KERNEL);
      }
#elif defined(IN_TASK)
#pragma omp parallel
#pragma omp single
      {
#pragma omp task
        {
#pragma omp target nowait
          usleep(KERNEL);
#pragma omp taskwait
        }
      }
#elif defined(MAP)
#pragma omp parallel
#pragma omp single
#pragma omp target data map(tofrom : large)
      a[0]++;
#elif defined(LATE)
#pragma omp parallel
      {
#pragma omp master
        {
          usleep(KERNEL);
        }
#pragma omp barrier
      }
#endif
    }
  }
}
