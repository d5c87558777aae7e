#include "kernel.h"
int b(void) { int x = 0; omp_init_lock(&the_lock); add(&x); show("b"); return x + other(5); }
