// Generated code raises no warning, in every version of C++.
// REQUIRES: clang, gcc
// RUN: for std in c++11 c++14 c++17 c++20 c++23 gnu++20; do %pomp --pomp-strict -- %clangxx -std=$std -fopenmp -Wall -Wextra -Wshadow -Wmissing-prototypes -Wold-style-cast -Werror -c %s -o %t.o || exit 1; done
// RUN: for std in c++11 c++14 c++17 c++20 c++23 gnu++20; do %pomp --pomp-strict -- %gxx -std=$std -fopenmp -Wall -Wextra -Wshadow -Wold-style-cast -Wuseless-cast -Werror -c %s -o %t.o || exit 1; done
#include <vector>

template <class T> T total(const std::vector<T> &v) {
  T s{};
#pragma omp parallel for reduction(+ : s) default(none) shared(v)
  for (std::size_t i = 0; i < v.size(); ++i)
    s += v[i];
  return s;
}

struct Box {
  int n = 0;
  void run() {
#pragma omp parallel num_threads(2)
    {
#pragma omp single
      n++;
#pragma omp critical
      for (int i = 0; i < 2; i++)
        n++;
#pragma omp sections
      {
#pragma omp section
        n++;
      }
#pragma omp atomic
      n++;
#pragma omp master
      n++;
    }
  }
};

int every(const std::vector<int> &v, Box &b) {
  b.run();
  return total(v) + static_cast<int>(total(std::vector<double>(3, .5)));
}
