// Directives as attributes: what clang 19 and gcc 12 take of them.
#include <cstdio>

static int a[20];

static int attributes(int n) {
  int s = 0;
  [[omp::directive(parallel num_threads(2))]] //= parallel 2
  {
    [[omp::directive(for schedule(static))]] //= for 2
    for (int i = 0; i < n; i++)
      a[i]++;
    [[omp::directive(barrier)]]; //= barrier 2
    [[omp::sequence(directive(single), directive(critical(name)))]] //= single 2, critical 1
    s++;
    [[using omp : directive(masked)]] //= masked 1
    a[0]++;
    [[omp::sequence(omp::directive(critical), omp::directive(atomic))]] /*= critical 2, atomic 2 */
    s += 1;
  }
  [[omp::directive(parallel for reduction(+ : s) collapse(1))]] for (int i = 0; i < n; i++) s += a[i]; //= parallel for 4
  if (s > 0)
    [[omp::sequence(directive(parallel), directive(critical))]] s++; //= parallel 4, critical 4
  auto f = [&](int k) {
    [[omp::directive(parallel /*= parallel for 4 */
                     for reduction(+ : s)
                     schedule(dynamic, 2))]]
    for (int i = 0; i < k; i++)
      s += i;
    return s;
  };
  return f(n);
}

int main() {
  std::printf("%d\n", attributes(20));
  return 0;
}
