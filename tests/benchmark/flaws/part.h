/* Programs with one flaw each, and their repaired forms.
 *
 * Usage: PROGRAM NAME [repaired]. Prints the seconds that the part takes, and the seconds that all
 * threads lose by the flaw as its construction tells (0 if only the repaired form tells). Work is a
 * nap where the processors do not matter. */
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

typedef struct {
  const char *name;
  double (*flawed)(void);
  double (*repaired)(void);
} Part;

static inline void nap(double seconds) {
  struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  nanosleep(&time, NULL);
}

static inline int run(int argc, char **argv, const Part *parts, size_t count) {
#pragma omp parallel
  nap(0.001);
  for (size_t i = 0; argc > 1 && i < count; i++) {
    if (strcmp(argv[1], parts[i].name) != 0)
      continue;
    double begin = omp_get_wtime();
    double known = (argc > 2 ? parts[i].repaired : parts[i].flawed)();
    printf("seconds %.9f\nknown %.9f\n", omp_get_wtime() - begin, known);
    return 0;
  }
  return 2;
}
