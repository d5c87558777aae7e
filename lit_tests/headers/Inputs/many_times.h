static void FUNCTION(int *a) {
#pragma omp critical
  ++*a;
}
