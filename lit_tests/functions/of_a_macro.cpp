// A macro of a test framework makes a class with a constructor, and the begin of a member function
// whose body follows.
// REQUIRES: clang, gcc
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.cpp
// RUN: %pomp list --pomp-functions=all app.cpp -- %clangxx -fopenmp | FileCheck --check-prefix=LIST %s
// RUN: %pomp --pomp-functions=all --pomp-strict -- %gxx -fopenmp app.cpp -o app
// RUN: env POMP_EXPERIMENT_DIR=%t/run ./app && %pomp report --all run | FileCheck %s
#define TEST(suite, name)                                                                          \
  class suite##_##name {                                                                           \
  public:                                                                                          \
    suite##_##name() { info++; }                                                                   \
    void body();                                                                                   \
    static int info;                                                                               \
  };                                                                                               \
  int suite##_##name::info = 0;                                                                    \
  void suite##_##name::body()

double values[100];
TEST(sums, all) {
#pragma omp parallel for
  for (int i = 0; i < 100; i++)
    values[i] += i;
}
int main() {
  sums_all test;
  for (int turn = 0; turn < 3; turn++)
    test.body();
}
// LIST: app.cpp:19-23 {{ *}}function sums_all::body {{ *}}instrumented
// LIST: app.cpp:20-22 {{ *}}parallel for {{ *}}instrumented
// LIST: app.cpp:24-28 {{ *}}function main {{ *}}instrumented
// LIST: 1 constructs and 2 functions, 3 instrumented
// CHECK: function sums_all::body app.cpp:19-23 3
