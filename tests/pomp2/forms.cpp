// Constructs in templates, lambdas and members, for which OPARI2's text does not compile.
#include <omp.h>

#include <vector>

template <typename T> T total(const std::vector<T> &values) {
  T sum{};
#pragma omp parallel for simd reduction(+ : sum)
  for (std::size_t i = 0; i < values.size(); i++)
    sum += values[i];
  return sum;
}

struct Counter {
  int count = 0;
  void add() {
    auto step = [this] {
#pragma omp atomic
      count++;
    };
#pragma omp parallel default(none) shared(step) num_threads(2)
    step();
  }
};

int main() {
  Counter counter;
  counter.add();
  return total(std::vector<int>(100, 1)) + static_cast<int>(total(std::vector<double>(10, 1.0))) -
         110 + counter.count - 2;
}
