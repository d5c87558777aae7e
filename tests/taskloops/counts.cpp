/* Taskloops of every shape: the program says how many tasks each of them has to have, by their
 * iterations' own account, and whether it computed what it should. */
#include <cstdio>
#include <cstdint>
#include <omp.h>

struct Copied {
  static int made, gone;
  int value;
  explicit Copied(int v) : value(v) {}
  Copied(const Copied &other) : value(other.value) {
#pragma omp atomic
    made++;
  }
  ~Copied() {
#pragma omp atomic
    gone++;
  }
};
int Copied::made, Copied::gone;

#ifdef __clang__ /* of 19, whose tasks' copies are not aligned further */
#define ALIGNMENT 16
#else
#define ALIGNMENT 128
#endif
struct alignas(ALIGNMENT) Aligned {
  long value;
};

static bool all_right = true;
static void expect(bool right, int line) {
  if (!right) {
    std::printf("wrong at line %d\n", line);
    all_right = false;
  }
}

static int depth_sum;
static void recurse(int depth) {
#pragma omp taskloop num_tasks(2) // recursive
  for (int i = 0; i < 2; i++) {
    if (depth > 0)
      recurse(depth - 1);
#pragma omp atomic
    depth_sum++;
  }
}

int main() {
  const int n = 60;
  long sum = 0, last = -1;
  int data[n] = {};
#pragma omp parallel num_threads(3)
#pragma omp single
  {
#pragma omp taskloop grainsize(10) // plain
    for (int i = 0; i < n; i++)
      data[i]++;
#pragma omp taskloop num_tasks(7) reduction(+ : sum) // reduced
    for (int i = 0; i < n; i++) {
      if (i % 2)
        continue;
      sum += i;
    }
#pragma omp taskloop num_tasks(4) lastprivate(last) // last
    for (unsigned long long i = 0; i < 20; i++)
      last = (long)i;
#pragma omp taskloop num_tasks(6) collapse(2) // collapsed
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 4; j++)
#pragma omp atomic
        data[i]++;
#pragma omp taskloop simd num_tasks(5) // simd
    for (int i = 0; i < n; i++)
      data[i] += 2;
#pragma omp taskloop num_tasks(4) if (n < 0) // undeferred
    for (int i = 0; i < 8; i++)
      data[i]++;
#pragma omp taskloop num_tasks(3) // empty
    for (int i = 0; i < 0; i++)
      data[i]++;
#pragma omp taskloop nogroup num_tasks(4) untied priority(1) // untied
    for (int i = 0; i < 4; i++) {
#pragma omp task // within
      data[i]++;
    }
    Copied copied(3);
    int seen = 0;
#pragma omp taskloop num_tasks(300) firstprivate(copied) shared(seen) // copied
    for (int i = 0; i < 300; i++)
#pragma omp atomic
      seen += copied.value;
    expect(seen == 900, __LINE__);
    Aligned aligned = {5};
    long misplaced = 0;
#pragma omp taskloop num_tasks(9) firstprivate(aligned) shared(misplaced) // aligned
    for (int i = 0; i < 9; i++)
      if (aligned.value != 5 || (std::uintptr_t)&aligned % ALIGNMENT)
#pragma omp atomic
        misplaced++;
    expect(misplaced == 0, __LINE__);
    int caught = 0;
#pragma omp taskloop num_tasks(4) shared(caught) // throws
    for (int i = 0; i < 8; i++)
      try {
        if (i % 2)
          throw i;
      } catch (int) {
#pragma omp atomic
        caught++;
      }
    expect(caught == 4, __LINE__);
    recurse(2);
    expect(depth_sum == 2 + 4 + 8, __LINE__);
  }
  expect(Copied::made >= 300 && Copied::gone == Copied::made + 1, __LINE__);
  expect(sum == 870 && last == 19, __LINE__);
  int made = 0;
#pragma omp parallel master taskloop num_tasks(6) num_threads(2) reduction(+ : made) // combined
  for (int i = 0; i < 12; i++)
    made++;
  expect(made == 12, __LINE__);
  for (int i = 0; i < n; i++)
    expect(data[i] == 3 + (i < 6) * 4 + (i < 8) + (i < 4), __LINE__);
  return all_right ? 0 : 1;
}
