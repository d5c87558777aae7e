#ifndef KERNEL_H
#define KERNEL_H
static inline double kernel(double *a, int n) {
  double s = 0;
  int i;
#pragma omp parallel for reduction(+ : s)
  for (i = 0; i < n; i++) {
    if (a[i] > 1e9)
      s += 1;
    s += a[i];
  }
  return s;
}
#endif
