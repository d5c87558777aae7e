/* Does as good as nothing in many parallel regions: the first argument's thousands. */
#include <stdlib.h>

int main(int count, char **words) {
  int turns = 1000 * (count > 1 ? atoi(words[1]) : 100);
  volatile int sum = 0;
  for (int i = 0; i < turns; i++) {
#pragma omp parallel
    if (i < 0)
      sum = i;
  }
  return sum;
}
