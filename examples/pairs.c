/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Counts the pairs of particles that are closer to each other than a cutoff, in a few time steps.
 * The tutorial measures it (docs/tutorial/first-bottleneck.md).
 *
 *     pairs [particles] [steps]
 */
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  double x, y, z;
} Point;

static double uniform(void) { return rand() / (RAND_MAX + 1.0); }

static long count_pairs(const Point *p, int n, double cutoff) {
  long pairs = 0;
  #pragma omp parallel for reduction(+ : pairs)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      double dx = p[i].x - p[j].x, dy = p[i].y - p[j].y, dz = p[i].z - p[j].z;
      if (dx * dx + dy * dy + dz * dz < cutoff * cutoff)
        pairs++;
    }
  return pairs;
}

static void move(Point *p, int n) {
  for (int i = 0; i < n; i++) {
    p[i].x += 1e-3 * (uniform() - 0.5);
    p[i].y += 1e-3 * (uniform() - 0.5);
    p[i].z += 1e-3 * (uniform() - 0.5);
  }
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 20000, steps = argc > 2 ? atoi(argv[2]) : 5;
  Point *points = n > 0 ? malloc((size_t)n * sizeof *points) : NULL;
  if (!points || steps < 1) {
    fprintf(stderr, "usage: pairs [particles] [steps]\n");
    return 2;
  }
  for (int i = 0; i < n; i++)
    points[i] = (Point){uniform(), uniform(), uniform()};
  long pairs = 0;
  for (int k = 0; k < steps; k++) {
    pairs = count_pairs(points, n, 0.1);
    move(points, n);
  }
  printf("%d particles, %ld pairs\n", n, pairs);
  free(points);
  return 0;
}
