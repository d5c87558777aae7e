// Functions of C are left on every way out, and counted once for each call.
// pomp: --pomp-functions=all
// options: -Wno-unknown-pragmas -std=gnu11 -Wshadow -Wmissing-prototypes -Wstrict-prototypes
// options: clang -Wno-deprecated-non-prototype
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf environment;

static double contracted(double x) { //= function 1
  /* Nothing may come before this. */
#pragma STDC FP_CONTRACT OFF
  double y = x * x + 1; //-
  return y;
}

static int labels(int k) //= function 2
{
  __label__ out;
  int i;
  for (i = 0; i < 10; i++)
    for (;;) {
      if (i == k)
        goto out;
      break;
    }
  return -1;
out:
  return i;
}

static int computed(int k) { //= function 2
  static void *targets[] = {&&one, &&two};
  goto *targets[k & 1];
one:
  return 1;
two:
  return 2;
}

static int variable_length(int n) { //= function 1
  int i = 0;
again: {
  int a[n];
  a[0] = i++;
  if (a[0] < 3)
    goto again;
  return a[0];
}
}

static int cases(int k) { //= function 2
  switch (k) {
    int passed_by;
  case 1:
    passed_by = 4;
    return passed_by;
  default:
    break;
  }
  return 0;
}

static void jump(int k) { //= function 3
  if (k)
    longjmp(environment, k);
}

static int catches(void) { //= function 1
  volatile int n = 0;
  int r = setjmp(environment);
  if (r < 3) {
    n++;
    jump(r + 1);
  }
  return n;
}

static int expression(int k) { return k <= 0 ? 0 : ({ int q = expression(k - 1); q + 1; }); } //= function 10

inline int external(int k);
inline int external(int k) { return k + 1; } //= function 1
extern int external(int k);

static inline int internal(int k) { return k + 1; } //= function 51

#if 0
static int dead(void) { return 0; }
#elif 1
static int live(void) //= function 1
#else
static int live(int k)
#endif
{ return 7; }

static void empty(void) {} //= function 1

struct pair {
  int a, b;
};
static struct pair aggregate(void) { struct pair r = {3, 4}; return r; } //= function 1

static int compare(const void *a, const void *b) { //= function 1
  return *(const int *)a - *(const int *)b;
}

__attribute__((no_instrument_function)) static int declined(void) { return 1; } //-

#define DEFINED(name) static int name(void) { return 1; }
DEFINED(out_of_a_macro) //! macro

#pragma omp declare simd
static int vector(int k) { return k + 1; } //! function

#pragma pomp noinstrument
static int silenced(void) { return 1; } //-
#pragma pomp instrument

__attribute__((noreturn)) static void ends(int status) { exit(status); } //= function 1

int main(void) { //= function 1
  int s = 0, i, v[2] = {2, 1};
  s += (int)contracted(2.0) + labels(3) + labels(11) + computed(0) + computed(1);
  s += variable_length(4) + cases(1) + cases(2) + catches() + expression(9);
  s += external(1) + internal(2) + live() + aggregate().b + declined() + out_of_a_macro();
  s += vector(1) + silenced();
  empty();
  qsort(v, 2, sizeof v[0], compare);
#pragma omp parallel for reduction(+ : s) //= parallel for 4
  for (i = 0; i < 50; i++)
    s += internal(i);
  printf("%d\n", s);
  ends(0);
}
