/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Wind-driven circulation of a homogeneous rectangular ocean (Stommel 1948): surface
 * winds, linearised bottom friction, flat bottom, Coriolis force.  The stream function
 * psi obeys
 *
 *     gamma (psi_xx + psi_yy) + beta psi_x = alpha sin(pi y / height)
 *
 * and is found by Jacobi iteration with a five-point stencil.
 *
 *     stommel [points in x and y] [iterations]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double width = 2000e3, height = 2000e3; /* metres */
static const double alpha = 1e-9, beta = 2.25e-11, gam = 3e-6;
static const double pi = 3.14159265358979323846;

typedef struct {
  int n;
  double a1, a2, a3, a4, a5; /* weights of north, south, east, west, forcing */
  double *psi, *new_psi, *force;
} Ocean;

static double *field(int n) {
  double *f = calloc((size_t)(n + 2) * (size_t)(n + 2), sizeof *f);
  if (!f) {
    fprintf(stderr, "stommel: no memory for %d x %d points\n", n, n);
    exit(1);
  }
  return f;
}

static Ocean make_ocean(int n) {
  Ocean o;
  double dx = width / (n + 1), dy = height / (n + 1);
  double dx2 = dx * dx, dy2 = dy * dy, bottom = 2 * gam * (dx2 + dy2);
  o.n = n;
  o.a1 = gam * dx2 / bottom;
  o.a2 = gam * dx2 / bottom;
  o.a3 = (gam * dy2 + beta * dx * dy2 / 2) / bottom;
  o.a4 = (gam * dy2 - beta * dx * dy2 / 2) / bottom;
  o.a5 = dx2 * dy2 / bottom;
  #pragma omp parallel sections shared(o)
  {
    #pragma omp section
    o.psi = field(n);
    #pragma omp section
    o.new_psi = field(n);
    #pragma omp section
    {
      o.force = field(n);
      for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++)
          o.force[i * (n + 2) + j] = -alpha * sin(pi * j * dy / height);
    }
  }
  return o;
}

/* One sweep; the sum of the changes is returned. */
static double sweep(const Ocean *o) {
  const int n = o->n, row = n + 2;
  const double a1 = o->a1, a2 = o->a2, a3 = o->a3, a4 = o->a4, a5 = o->a5;
  double *psi = o->psi, *new_psi = o->new_psi;
  const double *force = o->force;
  double diff = 0;
  int i, j;
  #pragma omp parallel
  {
    #pragma omp for schedule(static) reduction(+: diff) private(j) \
        firstprivate(a1, a2, a3, a4, a5)
    for (i = 1; i <= n; i++) {
      for (j = 1; j <= n; j++) {
        int at = i * row + j;
        new_psi[at] = a1 * psi[at + 1] + a2 * psi[at - 1] + a3 * psi[at + row]
                      + a4 * psi[at - row] - a5 * force[at];
        diff = diff + fabs(new_psi[at] - psi[at]);
      }
    }
    #pragma omp for schedule(dynamic, 16) private(j)
    for (i = 1; i <= n; i++)
      for (j = 1; j <= n; j++)
        psi[i * row + j] = new_psi[i * row + j];
  }
  return diff;
}

/* The strongest current, found by each thread in its rows and then by all. */
static double strongest(const Ocean *o) {
  double most = 0;
  #pragma omp parallel
  {
    double mine = 0;
    #pragma omp for nowait
    for (int i = 1; i <= o->n; i++)
      for (int j = 1; j <= o->n; j++)
        mine = fmax(mine, fabs(o->psi[i * (o->n + 2) + j]));
    #pragma omp critical(most)
    if (mine > most)
      most = mine;
  }
  return most;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 500, iterations = argc > 2 ? atoi(argv[2]) : 1000;
  if (n < 1 || iterations < 1) {
    fprintf(stderr, "usage: stommel [points] [iterations]\n");
    return 2;
  }
  Ocean ocean = make_ocean(n);
  double diff = 0;
  for (int k = 1; k <= iterations; k++) {
    diff = sweep(&ocean);
    if (k % (iterations / 4 + 1) == 0)
      printf("%6d sweeps: change %.6e\n", k, diff);
  }
  printf("%6d sweeps: change %.6e, strongest current %.6e\n", iterations, diff, strongest(&ocean));
  free(ocean.psi);
  free(ocean.new_psi);
  free(ocean.force);
  return 0;
}
