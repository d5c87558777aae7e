/* Constructs to step through by one thread: first the lines of main, then those of a region. */
#include <cstdio>
static int total;

struct Counter {
  ~Counter() { total++; }
};

static void add(int n) {
  Counter counter;
#pragma omp critical
  {
    total += n;
  }
}

template <typename T> static T before(T n) {
  T m = n + 1;
  return m;
}

int main() {
  int x = before(1);
  std::printf("a %d\n", x);
#pragma omp parallel for num_threads(1)
  for (int i = 0; i < 2; i++) {
    add(i);
    total += i;
  }
  std::printf("b\n");
#pragma omp parallel num_threads(1) default(none) shared(x, total)
  {
#pragma omp single
    {
      x++;
      total++;
    }
#pragma omp critical
    x++;
#pragma omp master
    {
#pragma omp task shared(x)
      x += 2;
#pragma omp taskwait
    }
#pragma omp sections
    {
#pragma omp section
      x += 4;
    }
  }
#pragma omp parallel num_threads(1)
#pragma omp single
  {
#pragma omp task
    add(1);
    total += 3;
  }
#pragma omp atomic
  total++;
  std::printf("c %d %d\n", x, total);
  return 0;
}
