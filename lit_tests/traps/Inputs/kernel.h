static inline void kernel(int *a) {
#pragma omp critical
  a[0]++;
}
