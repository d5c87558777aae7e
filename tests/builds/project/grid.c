#include "grid.h"
int grid(int n) {
  int sum = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp critical(grid)
    sum += i;
  }
  return sum + in_header(n);
}
