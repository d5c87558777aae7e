// Generated code raises no warning, in every version of C++.
// REQUIRES: clang, gcc
// RUN: %pomp --pomp-strict -- %clangxx -std=c++11 -fopenmp -Wall -Wextra -Wshadow -Wold-style-cast -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %clangxx -std=c++14 -fopenmp -Wall -Wextra -Wshadow -Wold-style-cast -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %clangxx -std=c++17 -fopenmp -Wall -Wextra -Wshadow -Wold-style-cast -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %clangxx -std=c++20 -fopenmp -Wall -Wextra -Wshadow -Wold-style-cast -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %clangxx -std=c++23 -fopenmp -Wall -Wextra -Wshadow -Wold-style-cast -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %clangxx -std=gnu++20 -fopenmp -Wall -Wextra -Wshadow -Wold-style-cast -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gxx -std=c++11 -fopenmp -Wall -Wextra -Wshadow -Wold-style-cast -Wuseless-cast -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gxx -std=c++14 -fopenmp -Wall -Wextra -Wshadow -Wold-style-cast -Wuseless-cast -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gxx -std=c++17 -fopenmp -Wall -Wextra -Wshadow -Wold-style-cast -Wuseless-cast -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gxx -std=c++20 -fopenmp -Wall -Wextra -Wshadow -Wold-style-cast -Wuseless-cast -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gxx -std=c++23 -fopenmp -Wall -Wextra -Wshadow -Wold-style-cast -Wuseless-cast -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gxx -std=gnu++20 -fopenmp -Wall -Wextra -Wshadow -Wold-style-cast -Wuseless-cast -Werror -c %s -o %t.o
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
