static int here(void) {
  int r = 0;
#pragma omp parallel num_threads(2)
#pragma omp atomic
  r++;
  return r;
}
