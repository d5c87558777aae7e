/* Runs one loop: the first argument is "count", then the name of its body and the number of turns.
 * The team has one thread. */
#include <stdlib.h>
#include <string.h>

static volatile int sink;
static int left, right;

static void region(int turns) {
  for (int i = 0; i < turns; i++) {
#pragma pomp inst begin(pair)
    sink = i;
#pragma pomp inst end(pair)
  }
}

static void atomic(int turns) {
  for (int i = 0; i < turns; i++) {
#pragma omp atomic
    left++;
  }
}

static void atomics_in_turn(int turns) {
  for (int i = 0; i < turns; i++) {
#pragma omp atomic
    left++;
#pragma omp atomic
    right++;
  }
}

static void critical(int turns) {
  for (int i = 0; i < turns; i++) {
#pragma omp critical
    left++;
  }
}

static void parallel(int turns) {
  for (int i = 0; i < turns; i++) {
#pragma omp parallel num_threads(1)
    sink = i;
  }
}

static void parallel_for(int turns) {
  for (int i = 0; i < turns; i++) {
#pragma omp parallel for num_threads(1)
    for (int j = 0; j < 1; j++)
      sink = j;
  }
}

static void worksharing(int turns) {
#pragma omp parallel num_threads(1)
  for (int i = 0; i < turns; i++) {
#pragma omp for
    for (int j = 0; j < 1; j++)
      sink = j;
#pragma omp single
    sink = i;
#pragma omp barrier
  }
}

static void task(int turns) {
#pragma omp parallel num_threads(1)
#pragma omp single
  for (int i = 0; i < turns; i++) {
#pragma omp task firstprivate(i)
    sink = i;
  }
}

static void task_and_wait(int turns) {
#pragma omp parallel num_threads(1)
#pragma omp single
  for (int i = 0; i < turns; i++) {
#pragma omp task firstprivate(i)
    sink = i;
#pragma omp taskwait
  }
}

/* A tree with as many leaves: two tasks and a wait for each inner task. */
static void grow(int tasks) {
  if (tasks < 2)
    return;
#pragma omp task
  grow(tasks / 2);
#pragma omp task
  grow(tasks - tasks / 2);
#pragma omp taskwait
}

static void tree_of_tasks(int turns) {
#pragma omp parallel num_threads(1)
#pragma omp single
  grow(turns);
}

static const struct {
  const char *name;
  void (*run)(int);
} loops[] = {{"region", region},
             {"atomic", atomic},
             {"atomics_in_turn", atomics_in_turn},
             {"critical", critical},
             {"parallel", parallel},
             {"parallel_for", parallel_for},
             {"worksharing", worksharing},
             {"task", task},
             {"task_and_wait", task_and_wait},
             {"tree_of_tasks", tree_of_tasks}};

int main(int count, char **words) {
  for (size_t i = 0; count == 4 && i < sizeof loops / sizeof *loops; i++)
    if (strcmp(loops[i].name, words[2]) == 0) {
      loops[i].run(atoi(words[3]));
      return 0;
    }
  return 2;
}
