/* Is loaded and closed, by a program that knows nothing of OpenMP. */
int plugin(void);
int plugin(void) {
  int members = 0;
#pragma omp critical(plugged)
  members++;
  return members;
}
