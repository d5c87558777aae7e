// A unit that is mostly headers, with a little OpenMP.
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <regex>
#include <string>
#include <unordered_map>
#include <vector>

double total(const std::vector<double> &v) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (std::size_t i = 0; i < v.size(); i++)
    s += v[i];
  return s;
}

int main() { return static_cast<int>(total({1.0, 2.0})) - 3; }
