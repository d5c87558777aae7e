int chosen(int n) {
#pragma omp critical
  n++;
  return n;
}
