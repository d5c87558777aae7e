// A template that is never instantiated, and an inline function that is never called: what
// only they refer to raises no warning.
// REQUIRES: clang, gcc
// RUN: %pomp --pomp-strict -- %clangxx -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gxx -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
int total;
template <class T> static void never(T n) {
#pragma omp critical
  total += n;
}
struct Never {
  template <class T> void step(T n) {
#pragma omp atomic
    total += n;
  }
};
int main() { return total; }
