/* Smooths a plane: as many sweeps as the first argument says, a loop over its rows each. */
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 512 };
static double planes[2][SIDE][SIDE];

int main(int count, char **words) {
  int sweeps = count > 1 ? atoi(words[1]) : 100;
  for (int i = 0; i < SIDE; i++)
    planes[0][0][i] = planes[1][0][i] = 1;
  for (int turn = 0; turn < sweeps; turn++) {
    double(*from)[SIDE] = planes[turn % 2], (*to)[SIDE] = planes[1 - turn % 2];
#pragma omp parallel for
    for (int i = 1; i < SIDE - 1; i++)
      for (int j = 1; j < SIDE - 1; j++)
        to[i][j] = (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]) / 4;
  }
  printf("%g\n", planes[sweeps % 2][1][SIDE / 2]);
  return 0;
}
