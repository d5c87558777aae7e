int added(int n) {
#pragma omp critical
  n++;
  return n;
}
