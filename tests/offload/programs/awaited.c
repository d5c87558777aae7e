/* The host waits for kernels that are tasks, and does nothing between them; -DTEAM: another
   thread has nothing to do meanwhile. */
#include <unistd.h>

static double a[100];

int main(void) {
#pragma omp target data map(tofrom : a)
  for (int turn = 0; turn < 3; turn++) {
    for (int kernel = 0; kernel < 4; kernel++) {
#pragma omp target nowait
      usleep(20000);
    }
#pragma omp taskwait
  }
#ifdef TEAM
#pragma omp parallel
  usleep(1);
#endif
}
