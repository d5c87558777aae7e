/* A macro of which only a directive is made is used, as it is for the plain compiler.
REQUIRES: clang
RUN: %clang -fopenmp -Wunused-macros -c %s -o %t.o > %t.plain 2>&1
RUN: %pomp -- %clang -fopenmp -Wunused-macros -c %s -o %t.o > %t.measured 2>&1
RUN: diff %t.plain %t.measured
RUN: FileCheck %s --implicit-check-not='{{warning|error}}:' < %t.measured
CHECK: :[[# @LINE + 2]]:9: warning: macro is not used [-Wunused-macros]
*/
#define NOWHERE 1
#define DO(...) _Pragma(#__VA_ARGS__)
int main(void) {
  int sum = 0;
  DO(omp parallel) { DO(omp critical) sum += 1; }
  return sum;
}
