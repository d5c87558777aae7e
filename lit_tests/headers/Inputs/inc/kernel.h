#pragma once
#include "deep/macros.h"
#include <omp.h>
#include <stdio.h>
static omp_lock_t the_lock;
static inline void add(int *a) {
  OMP(critical(k))
  ++*a;
  omp_set_lock(&the_lock);
  ++*a;
  omp_unset_lock(&the_lock);
}
static void show(const char *w) { printf("%s %s:%d\n", w, __FILE__, __LINE__); }
