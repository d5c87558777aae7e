/* One of two units that differ only in names: a region with a loop, and a combined loop; one of
 * four threads is late at each end. */
#include <stdatomic.h>
#include <unistd.h>

enum { THREADS = 4, LATE = 50000 };

#ifdef SECOND
#define NAME(name) name##_of_second
#else
#define NAME(name) name##_of_first
#endif

void region_of_second(void);
void combined_of_second(void);
void NAME(region)(void);
void NAME(combined)(void);

static void be_late(atomic_int *there) {
  while (*there < THREADS)
    usleep(100);
  usleep(LATE);
}

void NAME(region)(void) {
  static atomic_int in_loop, behind;
#pragma omp parallel num_threads(THREADS)
  {
#pragma omp for schedule(static, 1)
    for (int i = 0; i < THREADS; i++) {
      in_loop++;
      if (i == 0)
        be_late(&in_loop);
    }
    if (++behind == THREADS)
      be_late(&behind);
  }
}

void NAME(combined)(void) {
  static atomic_int there;
#pragma omp parallel for num_threads(THREADS) schedule(static, 1)
  for (int i = 0; i < THREADS; i++) {
    there++;
    if (i == 1)
      be_late(&there);
  }
}

#ifndef SECOND
int main(void) {
  region_of_first();
  region_of_second();
  combined_of_first();
  combined_of_second();
  return 0;
}
#endif
