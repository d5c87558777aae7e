/* Is loaded by whoever comes by, in a team or a task or neither, and closed again. */
#include "stress.h"

plugging plugged;

static void tasks(counting *count, unsigned seed) {
  count(__LINE__ + 1);
#pragma omp taskgroup
  for (unsigned i = 0; i < 1 + seed % 3; i++) {
#pragma omp task untied
    {
      count(__LINE__ - 2);
      count(__LINE__ + 1);
#pragma omp taskyield
    }
  }
}

static void team(counting *count, unsigned seed) {
#pragma omp parallel num_threads(1 + seed % 3)
  {
    count(__LINE__ - 2);
    count(__LINE__ + 1);
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 4; i++) {
      count(__LINE__ + 1);
#pragma omp critical(in_plugin)
      seed++;
    }
  }
}

void plugged(counting *count, unsigned seed) {
  if (next(&seed) % 2)
    tasks(count, next(&seed));
  else
    team(count, next(&seed));
}
