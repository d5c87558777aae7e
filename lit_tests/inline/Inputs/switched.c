/* Events are switched off and on again in the midst of visits, by the thread and by another. */
#include <stdlib.h>

static int sum, more;

static void visits(int n) {
  for (int i = 0; i < n; i++) {
#pragma pomp inst begin(visit)
#pragma omp critical
    sum++;
#pragma omp atomic
    more++;
#pragma pomp inst end(visit)
  }
}

static int early(int n) {
#pragma pomp inst begin(early)
  if (n) {
#pragma pomp inst end(early)
    return 1;
  }
  visits(1);
#pragma pomp inst end(early)
  return 0;
}

static void deeper(int depth) {
#pragma pomp inst begin(deeper)
  if (depth == 3) {
#pragma pomp inst off
  }
  if (depth == 6) {
#pragma pomp inst on
  }
  if (depth < 9)
    deeper(depth + 1);
#pragma pomp inst end(deeper)
}

static void begin_only(void) {
#pragma pomp inst begin(apart)
}

static void end_only(void) {
#pragma pomp inst end(apart)
}

static void middle_off(void) {
#pragma omp critical(off)
  {
    sum++;
#pragma pomp inst off
    visits(3);
  }
}

static void middle_on(void) {
#pragma omp critical(on)
  {
    visits(3);
#pragma pomp inst on
    visits(2);
  }
}

int main(void) {
  visits(5);
  middle_off();
  visits(7);
  early(0);
  middle_on();
  early(0);
  early(1);
  deeper(0);
  begin_only();
  end_only();
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    {
#pragma pomp inst off
      visits(1);
    }
#pragma omp barrier
    visits(10);
#pragma omp barrier
#pragma omp master
    {
#pragma pomp inst on
    }
#pragma omp barrier
    visits(10);
  }
  return sum + more != 2 * (5 + 3 + 7 + 1 + 5 + 1 + 1 + 20 + 20) + 1;
}
