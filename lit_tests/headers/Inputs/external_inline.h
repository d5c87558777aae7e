#ifndef EXTERNAL_INLINE_H
#define EXTERNAL_INLINE_H
inline int twice(int n) {
  int s = 0;
#pragma omp parallel for reduction(+ : s) num_threads(2)
  for (int i = 0; i < n; i++) s += i;
  return s;
}
#endif
