/* A kernel with scratch memory that is allocated at each visit. */
#include <stdio.h>

#define SIZE 200000
#define VISITS 50

static double scratch[SIZE];

int main(void) {
#ifdef REPAIRED
#pragma omp target data map(alloc : scratch)
#endif
  for (int visit = 0; visit < VISITS; visit++) {
#pragma omp target teams distribute parallel for map(alloc : scratch)
    for (int i = 0; i < SIZE; i++)
      scratch[i] = i;
  }
  printf("done\n");
}
