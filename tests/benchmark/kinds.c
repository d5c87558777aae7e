/* Records events of one kind: the arguments are its name and the number of turns. */
#include <stdlib.h>
#include <string.h>

static volatile int sink;

static void barriers(int turns) {
#pragma omp parallel
  for (int i = 0; i < turns; i++) {
#pragma omp barrier
#pragma omp for
    for (int j = 0; j < 4; j++)
      sink = j;
  }
}

static void loops(int turns) {
  for (int i = 0; i < turns; i++) {
#pragma omp parallel
    {
#pragma omp for schedule(dynamic)
      for (int j = 0; j < 4; j++)
        sink = j;
#pragma omp for nowait
      for (int j = 0; j < 4; j++)
        sink = j;
#pragma omp for
      for (int j = 0; j < 4; j++)
        sink = j;
    }
  }
}

static void grow(int depth) {
  if (depth < 2) {
    sink = depth;
    return;
  }
#pragma omp task
  grow(depth - 1);
#pragma omp task
  grow(depth - 2);
#pragma omp taskwait
}

static void tasks(int turns) {
#pragma omp parallel
  for (int i = 0; i < turns; i++) {
#pragma omp single
    grow(12);
  }
}

int main(int count, char **words) {
  int turns = count == 3 ? atoi(words[2]) : 0;
  if (turns && strcmp(words[1], "barriers") == 0)
    barriers(turns);
  else if (turns && strcmp(words[1], "loops") == 0)
    loops(turns);
  else if (turns && strcmp(words[1], "tasks") == 0)
    tasks(turns);
  else
    return 2;
  return 0;
}
