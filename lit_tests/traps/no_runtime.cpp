// A C++ program that does without the C++ library still does.
// REQUIRES: clang, gcc
// RUN: %pomp --pomp-strict -- %clang -O2 -fopenmp %s -o %t.clang
// RUN: %pomp --pomp-strict -- %gcc -O2 -fopenmp %s -o %t.gcc
int main() {
  int n = 0;
#pragma omp parallel for reduction(+ : n)
  for (int i = 0; i < 10; i++)
    n += i;
#pragma omp parallel
#pragma omp critical
  n++;
  return n < 46;
}
