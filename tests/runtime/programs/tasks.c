/* Tasks of every sort: their counts and times. */
#include "pomp_tasks.h"

#include <omp.h>
#include <string.h>

PLACE(par, "parallel", 10);
PLACE(one, "single", 20);
PLACE(task, "task", 30);
PLACE(wait, "taskwait", 40);
PLACE(child, "task", 50);
PLACE(group, "taskgroup", 60);
PLACE(yield, "taskyield", 70);
PLACE(loop, "taskloop", 80);
PLACE(bar, "barrier", 90);
FUNCTION(func, "fib", 100);
PLACE_WITH(untied, "task", 0, 110, POMP_UNTIED);
PLACE(inner, "parallel", 140);
FUNCTION(outer, "outer", 160);

static int fib(int n) {
  int a = 0, b = 0;
  POMP_Begin(&func);
  if (n >= 2) {
    TASK(task, shared(a))
    a = fib(n - 1);
    END_TASK(task)
    TASK(child, shared(b))
    b = fib(n - 2);
    END_TASK(child)
    TASKWAIT(wait)
  }
  POMP_End(&func);
  return n < 2 ? n : a + b;
}

static void fibonacci(int threads) {
  int result = 0;
  PARALLEL(par, num_threads(threads) shared(result))
  SINGLE(one)
  result = fib(15);
  END_SINGLE(one)
  END_PARALLEL(par)
  printf("%d\n", result);
}

/* One thread makes tasks and waits at the barrier, as do the others. */
static void sleepers(int threads, int count) {
  PARALLEL(par, num_threads(threads))
  SINGLE(one)
  for (int i = 0; i < count; i++) {
    TASK(task, )
    sleep_ms(20);
    END_TASK(task)
  }
  END_SINGLE(one)
  END_PARALLEL(par)
}

/* Nothing is deferred: all run within the creation, on the thread that makes them. */
static void undeferred(void) {
  PARALLEL(par, num_threads(2))
  SINGLE(one)
  for (int i = 0; i < 5; i++) {
    TASK(task, if (0))
    POMP_Begin(&func);
    sleep_ms(5);
    POMP_End(&func);
    END_TASK(task)
  }
  TASK(child, final(1))
  TASK(task, )
  sleep_ms(5);
  END_TASK(task)
  TASKWAIT(wait)
  END_TASK(child)
  END_SINGLE(one)
  END_PARALLEL(par)
}

/* Two levels of waits on one thread, while the other is busy:
 * barrier -> task -> taskwait -> child -> its taskwait. */
static void nested(void) {
  PARALLEL(par, num_threads(2))
  if (omp_get_thread_num() == 1)
    sleep_ms(200);
  else {
    POMP_Begin(&outer);
    TASK(task, )
    POMP_Begin(&func);
    sleep_ms(10);
    TASK(child, )
    sleep_ms(20);
    TASK(child, )
    POMP_Begin(&func);
    sleep_ms(40);
    POMP_End(&func);
    END_TASK(child)
    TASKWAIT(wait)
    END_TASK(child)
    TASKWAIT(wait)
    POMP_End(&func);
    END_TASK(task)
  }
  BARRIER(bar);
  if (omp_get_thread_num() == 0)
    POMP_End(&outer);
  END_PARALLEL(par)
}

static void groups(void) {
  PARALLEL(par, num_threads(2))
  if (omp_get_thread_num() == 1)
    sleep_ms(150);
  else {
    TASKGROUP(group)
    sleep_ms(10);
    for (int i = 0; i < 3; i++) {
      TASK(task, priority(i))
      TASK(child, )
      sleep_ms(10);
      END_TASK(child)
      END_TASK(task)
    }
    END_TASKGROUP(group)
  }
  END_PARALLEL(par)
}

/* An untied generator is taken up again by whichever thread is free. */
static void generator(int count) {
  PARALLEL(par, num_threads(4))
  SINGLE(one)
  TASK(untied, untied)
  for (int i = 0; i < count; i++) {
    TASK(child, )
    sleep_ms(1);
    END_TASK(child)
  }
  TASKWAIT(wait)
  POMP_Begin(&func);
  sleep_ms(5);
  POMP_End(&func);
  END_TASK(untied)
  END_SINGLE(one)
  END_PARALLEL(par)
}

static void untied_tree(int n) {
  if (n == 0)
    return;
  for (int i = 0; i < 2; i++) {
    TASK(untied, untied firstprivate(n))
    POMP_Begin(&func);
    untied_tree(n - 1);
    POMP_End(&func);
    TASKYIELD(yield)
    END_TASK(untied)
  }
  TASKWAIT(wait)
}

static void untied_trees(void) {
  PARALLEL(par, num_threads(4))
  SINGLE(one)
  untied_tree(8);
  END_SINGLE(one)
  END_PARALLEL(par)
}

static void detached(void) {
  PARALLEL(par, num_threads(2))
  SINGLE(one)
  for (int i = 0; i < 10; i++) {
    omp_event_handle_t event;
    TASK(task, detach(event))
    omp_fulfill_event(event);
    END_TASK(task)
  }
  TASKWAIT(wait)
  END_SINGLE(one)
  END_PARALLEL(par)
}

static void loops(void) {
  PARALLEL(par, num_threads(2))
  SINGLE(one)
  for (int i = 0; i < 4; i++) {
    TASK(task, )
    sleep_ms(10);
    END_TASK(task)
  }
  void *task_before = POMP_Get_task();
  POMP_Taskloop_enter(&loop);
#pragma omp taskloop num_tasks(4)
  for (int i = 0; i < 8; i++)
    sleep_ms(2);
  POMP_Set_task(task_before);
  POMP_Taskloop_exit(&loop);
  END_SINGLE(one)
  END_PARALLEL(par)
}

/* A team of its own in a task, whose barrier runs tasks: that one's time goes on. */
static void team_in_task(void) {
  omp_set_max_active_levels(2);
  PARALLEL(par, num_threads(2))
  SINGLE(one)
  TASK(task, )
  POMP_Begin(&func);
  PARALLEL(inner, num_threads(2))
  if (omp_get_thread_num() == 0)
    for (int i = 0; i < 2; i++) {
      TASK(child, )
      POMP_Begin(&func);
      sleep_ms(20);
      POMP_End(&func);
      END_TASK(child)
    }
  END_PARALLEL(inner)
  POMP_End(&func);
  END_TASK(task)
  END_SINGLE(one)
  END_PARALLEL(par)
}

static void many(int count) {
  PARALLEL(par, num_threads(4))
  SINGLE(one)
  for (int i = 0; i < count; i++) {
    TASK(task, )
    POMP_Begin(&func);
    POMP_End(&func);
    END_TASK(task)
  }
  END_SINGLE(one)
  END_PARALLEL(par)
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  int n = argc > 2 ? atoi(argv[2]) : 0;
  if (!strcmp(what, "fibonacci"))
    fibonacci(n);
  if (!strcmp(what, "sleepers"))
    sleepers(n, atoi(argv[3]));
  if (!strcmp(what, "undeferred"))
    undeferred();
  if (!strcmp(what, "nested"))
    nested();
  if (!strcmp(what, "groups"))
    groups();
  if (!strcmp(what, "generator"))
    generator(n);
  if (!strcmp(what, "untied_trees"))
    untied_trees();
  if (!strcmp(what, "detached"))
    detached();
  if (!strcmp(what, "loops"))
    loops();
  if (!strcmp(what, "team_in_task"))
    team_in_task();
  if (!strcmp(what, "many"))
    many(n);
  return 0;
}
