// Values of variables (POMP paper, section 3.10): they stand in the trace, whatever type they have.
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck --check-prefix=TEXT %s
// RUN: FileCheck --check-prefix=NAMED %s < %t.err
// RUN: rm -rf %t.c %t.g
// RUN: %pomp -- %clang -fopenmp -Wall -Wextra -Werror -Wno-unused -Wno-unknown-pragmas %s -o %t
// RUN: env POMP_TRACE=1 POMP_EXPERIMENT_DIR=%t.c %t
// RUN: %pomp trace %t.c | FileCheck %s
// RUN: %pomp -- %gcc -std=gnu90 -fopenmp -Wall -Wextra -Werror -Wno-unused -Wno-unknown-pragmas %s -o %t
// RUN: env POMP_TRACE=1 POMP_EXPERIMENT_DIR=%t.g %t
// RUN: %pomp trace %t.g | FileCheck %s
// RUN: env POMP_EXPERIMENT_DIR=%t.n %t
enum colour { RED, GREEN = 7 };
struct pair {
  int first;
};
static unsigned long all = ~0ul;
static const volatile short negative = -2;

static double twice(double x, int n) {
#pragma pomp inst begin(twice, x)
  x *= n;
#pragma pomp inst end(twice, n)
  return x;
}

int main(void) {
  int i = -3, *pointer = &i;
  float half = 1.5f;
  double pi = 3.141592653589793;
  long double tenth = 0.1L;
  long wide = -(1L << 62), narrow = (1L << 55) - 1;
  enum colour colour = GREEN;
  struct pair pair = {1};
#pragma pomp inst begin(one, i)
  {
    unsigned char i = 200;
#pragma pomp inst begin(two, i)
#pragma pomp inst end(two, half)
  }
#pragma pomp inst end(one, pi)
#pragma pomp inst begin(three, tenth)
#pragma pomp inst end(three, wide)
#pragma pomp inst begin(four, narrow)
#pragma pomp inst end(four, colour)
#pragma pomp inst begin(five, all)
#pragma pomp inst end(five, negative)
#pragma pomp inst begin(six, pointer)
#pragma pomp inst end(six, pair)
#pragma pomp inst off
#pragma pomp inst begin(seven, i)
#pragma pomp inst end(seven)
#pragma pomp inst on
  return twice(2.5, 2) != 5 || !pointer || !pair.first;
}
// TEXT: { POMP_Begin([[D:__pomp_rd[0-9]+\(\)]]); POMP_Value_real([[D]], (double)(x)); }
// TEXT: { POMP_Value_int([[D]], (long)(n)); POMP_End([[D]]); }
// TEXT: POMP_Value_unsigned([[E:__pomp_rd[0-9]+\(\)]], (unsigned long)(i));
// TEXT: POMP_Value_real([[E]], (double)(half));
// TEXT: {{^}}POMP_Begin([[F:__pomp_rd[0-9]+\(\)]]);
// TEXT-NEXT: {{^}}POMP_End([[F]]);
// NAMED: values.c:48: warning: the value of 'pointer' is not recorded: it is no variable of arithmetic type here [pomp-value]
// NAMED: values.c:49: warning: the value of 'pair' is not recorded: it is no variable of arithmetic type here [pomp-value]
// CHECK: value region one {{.*}} -3{{$}}
// CHECK: value region two {{.*}} 200{{$}}
// CHECK: value region two {{.*}} 1.5{{$}}
// CHECK: value region one {{.*}} 3.141592653589793{{$}}
// CHECK: value region three {{.*}} 0.1{{$}}
// CHECK: value region three {{.*}} -4611686018427387904{{$}}
// CHECK: value region four {{.*}} 36028797018963967{{$}}
// CHECK: value region four {{.*}} 7{{$}}
// CHECK: value region five {{.*}} 18446744073709551615{{$}}
// CHECK: value region five {{.*}} -2{{$}}
// CHECK-NOT: value region
// CHECK: enter region twice
// CHECK-NEXT: value region twice {{.*}} 2.5{{$}}
// CHECK-NEXT: value region twice {{.*}} 2{{$}}
// CHECK-NEXT: leave region twice
