void part_(int *n) {
#pragma omp parallel
#pragma omp critical
  *n += 1;
}
