int object(int n) {
#pragma omp critical
  n++;
  return n;
}
