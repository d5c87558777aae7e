int relative(int n) {
#pragma omp critical
  n++;
  return n;
}
