#ifndef GRID_H
#define GRID_H
static inline int in_header(int n) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; i++)
    sum += i;
  return sum;
}
#ifdef __cplusplus
extern "C" {
#endif
int grid(int n);
int part(void);
int count_all(void);
#ifdef __cplusplus
}
#endif
int kernel(int n);
int smooth(int n);
#endif
