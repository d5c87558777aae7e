static void FUNCTION(int *a) {
#pragma omp critical
  ++*a;
#ifdef IN_NO_INCLUSION
#pragma omp critical
  --*a;
#endif
}
