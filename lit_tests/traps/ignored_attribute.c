/* An attribute that the compiler does not take for a directive stays one: without -fopenmp, and with
gcc before version 14 in C.

REQUIRES: clang, gcc
RUN: %gxx -x c++ -std=c++20 -c %s -o %t.o 2> %t.plain
RUN: %pomp --pomp-functions -- %gxx -x c++ -std=c++20 -c %s -o %t.o 2> %t.measured
RUN: diff %t.plain %t.measured && grep -c Wattributes %t.measured
RUN: %clang -std=c23 -c %s -o %t.o 2> %t.plain
RUN: %pomp --pomp-functions -- %clang -std=c23 -c %s -o %t.o 2> %t.measured
RUN: diff %t.plain %t.measured && grep -c Wunknown-attributes %t.measured
RUN: %gcc -DASKS -std=c2x -fopenmp -c %s -o %t.o 2> %t.plain
RUN: %pomp -- %gcc -DASKS -std=c2x -fopenmp -c %s -o %t.o 2> %t.measured
RUN: diff %t.plain %t.measured

With these, g++ takes it for one, and warns that it is an attribute.
RUN: %gxx -x c++ -std=c++98 -fopenmp -c %s -o %t.o 2> %t.plain
RUN: %pomp -- %gxx -x c++ -std=c++98 -fopenmp -c %s -o %t.o 2> %t.measured
RUN: diff %t.plain %t.measured && grep -c Wc++11-extensions %t.measured
*/
int main(void) {
  int sum = 0;
#if !defined ASKS || __GNUC__ < 14
  [[omp::directive(parallel)]] { }
#endif
  return sum;
}
