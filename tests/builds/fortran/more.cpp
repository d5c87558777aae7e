extern "C" void more_(int *n) {
#pragma omp parallel
#pragma omp single
  *n += 1;
}
