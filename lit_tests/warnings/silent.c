/*
Generated code raises no warning, in every version of C.
REQUIRES: clang, gcc
RUN: %pomp --pomp-strict -- %clang -std=c89 -DNO_OMP_H -fopenmp -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Werror -c %s -o %t.o
RUN: %pomp --pomp-strict -- %clang -std=gnu89 -fopenmp -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Werror -c %s -o %t.o
RUN: %pomp --pomp-strict -- %clang -std=c99 -fopenmp -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Werror -c %s -o %t.o
RUN: %pomp --pomp-strict -- %clang -std=c11 -fopenmp -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Werror -c %s -o %t.o
RUN: %pomp --pomp-strict -- %clang -std=c17 -fopenmp -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Werror -c %s -o %t.o
RUN: %pomp --pomp-strict -- %clang -std=c2x -fopenmp -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Werror -c %s -o %t.o
RUN: %pomp --pomp-strict -- %clang -std=gnu2x -fopenmp -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Werror -c %s -o %t.o
RUN: %pomp --pomp-strict -- %gcc -std=c89 -fopenmp -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Werror -c %s -o %t.o
RUN: %pomp --pomp-strict -- %gcc -std=gnu89 -fopenmp -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Werror -c %s -o %t.o
RUN: %pomp --pomp-strict -- %gcc -std=c99 -fopenmp -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Werror -c %s -o %t.o
RUN: %pomp --pomp-strict -- %gcc -std=c11 -fopenmp -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Werror -c %s -o %t.o
RUN: %pomp --pomp-strict -- %gcc -std=c17 -fopenmp -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Werror -c %s -o %t.o
RUN: %pomp --pomp-strict -- %gcc -std=c2x -fopenmp -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Werror -c %s -o %t.o
RUN: %pomp --pomp-strict -- %gcc -std=gnu2x -fopenmp -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Werror -c %s -o %t.o
RUN: %pomp --pomp-strict -- %clang -std=c23 -pedantic -fopenmp -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Werror -c %s -o %t.o
*/
#ifdef NO_OMP_H /* the one of clang 19 is no C89 itself */
typedef int omp_lock_t, omp_nest_lock_t;
void omp_set_lock(omp_lock_t *);
void omp_unset_lock(omp_lock_t *);
int omp_test_nest_lock(omp_nest_lock_t *);
void omp_unset_nest_lock(omp_nest_lock_t *);
#else
#include <omp.h>
#endif

int every(int *a, int n, omp_lock_t *l, omp_nest_lock_t *nl);

static int helper(int k) {
  int i, s = 0;
#pragma omp parallel for default(none) shared(k) reduction(+ : s)
  for (i = 0; i < k; i++)
    s += i;
  return s;
}

int every(int *a, int n, omp_lock_t *l, omp_nest_lock_t *nl) {
  int i, s = 0;
#pragma omp parallel shared(a, s) private(i)
  {
    int inner = 0;
#pragma omp for schedule(static) nowait
    for (i = 0; i < n; i++)
      a[i] = i;
#pragma omp for reduction(+ : s) ordered
    for (i = 0; i < n; i++) {
#pragma omp ordered
      s += a[i];
    }
#pragma omp sections
    {
      a[0] = 1;
#pragma omp section
      a[1] = 2;
    }
#pragma omp single
    a[2] = 3;
#pragma omp master
    if (a[3])
      a[3] = 4;
#pragma omp critical(name)
    {
      a[4] += inner;
    }
#pragma omp atomic
    a[5] += 1;
#pragma omp barrier
#pragma omp flush
    omp_set_lock(l);
    omp_unset_lock(l);
    if (omp_test_nest_lock(nl))
      omp_unset_nest_lock(nl);
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(2)
      {
        a[6] = helper(a[7]);
      }
    }
  }
#pragma omp parallel sections
  {
#pragma omp section
    a[0] = 1;
#pragma omp section
    a[1] = 2;
  }
  return s;
}
