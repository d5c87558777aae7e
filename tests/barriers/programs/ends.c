/* Ends of constructs at which all threads but one wait for LATE. Each construct has a function of
 * its own, and tests look it up by the function's name. */
#include <omp.h>
#include <stdatomic.h>
#include <unistd.h>

enum { THREADS = 4, TASKS = 8, LATE = 50000 };

/* Waits for the others to be there, and lets them wait. */
static void be_late(atomic_int *there, int all) {
  while (*there < all)
    usleep(100);
  usleep(LATE);
}

static void loop(void) {
  static atomic_int there;
#pragma omp for schedule(static, 1)
  for (int i = 0; i < THREADS; i++) {
    there++;
    if (i == 0)
      be_late(&there, THREADS);
  }
}

static void reduction(void) {
  static atomic_int there;
  static int sum;
#pragma omp for schedule(static, 1) reduction(+ : sum)
  for (int i = 0; i < THREADS; i++) {
    sum += i;
    there++;
    if (i == 0)
      be_late(&there, THREADS);
  }
}

/* Such a loop has a barrier before it as well. */
static void handed_back(void) {
  static atomic_int there;
  static int value;
#pragma omp for schedule(static, 1) firstprivate(value) lastprivate(value)
  for (int i = 0; i < THREADS; i++) {
    value += i;
    there++;
    if (i == 0)
      be_late(&there, THREADS);
  }
}

static void not_waiting(void) {
#pragma omp for nowait
  for (int i = 0; i < THREADS; i++)
    ;
}

static void two_sections(void) {
  static atomic_int there;
  there++;
#pragma omp sections
  {
#pragma omp section
    be_late(&there, THREADS);
#pragma omp section
    ;
  }
}

static void one(void) {
  static atomic_int there;
  there++;
#pragma omp single
  be_late(&there, THREADS);
}

static void one_for_all(void) {
  static atomic_int there;
  int got = 0;
  there++;
#pragma omp single copyprivate(got)
  {
    be_late(&there, THREADS);
    got = 1;
  }
}

static void given_up(void) {
  static atomic_int there;
#pragma omp for schedule(static, 1)
  for (int i = 0; i < THREADS; i++) {
    there++;
    if (i == 0)
      be_late(&there, THREADS);
#pragma omp cancel for
  }
}

static void explicit_barrier(void) {
  static atomic_int there;
  there++;
  if (omp_get_thread_num() == 0)
    be_late(&there, THREADS);
#pragma omp barrier
}

static void region(void) {
  static atomic_int there;
#pragma omp parallel num_threads(THREADS)
  {
    there++;
    if (omp_get_thread_num() == 0)
      be_late(&there, THREADS);
  }
}

/* The one that is late is not the one that forked. */
static void region_of_a_worker(void) {
  static atomic_int there;
#pragma omp parallel num_threads(THREADS)
  {
    there++;
    if (omp_get_thread_num() == 1)
      be_late(&there, THREADS);
  }
}

static void combined_loop(void) {
  static atomic_int there;
#pragma omp parallel for num_threads(THREADS) schedule(static, 1)
  for (int i = 0; i < THREADS; i++) {
    there++;
    if (i == 0)
      be_late(&there, THREADS);
  }
}

static void combined_sections(void) {
  static atomic_int there;
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    be_late(&there, 1);
#pragma omp section
    there++;
  }
}

static void tasks_at_the_end(void) {
#pragma omp parallel num_threads(THREADS)
  if (omp_get_thread_num() == 0)
    for (int i = 0; i < TASKS; i++) {
#pragma omp task
      usleep(LATE / 5);
    }
}

static void tasks_in_single(void) {
#pragma omp single
  for (int i = 0; i < TASKS; i++) {
#pragma omp task
    usleep(LATE / 5);
  }
}

/* Waits in a barrier for tasks, of which one forks. */
static void region_in_task(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp task
    {
      atomic_int there = 0;
#pragma omp parallel num_threads(2)
      {
        there++;
        if (omp_get_thread_num() == 0)
          be_late(&there, 2);
      }
    }
  }
}

static void given_up_tasks(void) {
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
#pragma omp taskgroup
    for (int i = 0; i < TASKS; i++) {
#pragma omp task
      {
        usleep(1000);
#pragma omp cancel taskgroup
      }
    }
  }
}

static void inner(void) {
  static atomic_int there[2];
#pragma omp parallel num_threads(2)
  {
    int outer = omp_get_ancestor_thread_num(1);
    there[outer]++;
    if (omp_get_thread_num() == 0)
      be_late(&there[outer], 2);
  }
}

static void outer(void) {
#pragma omp parallel num_threads(2)
  inner();
}

#pragma pomp noinstrument
static void unseen(void) {
  static atomic_int there;
#pragma omp parallel num_threads(2)
  {
    there++;
#pragma omp for schedule(static, 1)
    for (int i = 0; i < 2; i++)
      if (i == 1)
        be_late(&there, 2);
  }
}
#pragma pomp instrument

/* Barriers in code that is not instrumented are part of the loop's body. */
static void around_unseen(void) {
#pragma omp for schedule(static, 1)
  for (int i = 0; i < THREADS; i++)
    if (i == 0)
      unseen();
}

static void alone(void) {
#pragma omp parallel num_threads(1)
  {
#pragma omp for
    for (int i = 0; i < THREADS; i++)
      ;
  }
#pragma omp parallel if (0)
  ;
#pragma omp for
  for (int i = 0; i < THREADS; i++)
    ;
}

static void locked(omp_lock_t *lock) {
  static atomic_int there;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() != 0)
      while (!there)
        usleep(100);
    omp_set_lock(lock);
    if (omp_get_thread_num() == 0) {
      there++;
      usleep(LATE);
    }
    omp_unset_lock(lock);
  }
}

int main(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
  omp_set_max_active_levels(3);
#pragma omp parallel num_threads(THREADS)
  {
    loop();
    reduction();
    handed_back();
    not_waiting();
    two_sections();
    one();
    one_for_all();
    given_up();
    explicit_barrier();
    tasks_in_single();
    around_unseen();
  }
  for (int i = 0; i < 2; i++) {
    tasks_at_the_end();
    region_in_task();
    given_up_tasks();
  }
  region();
  region_of_a_worker();
  combined_loop();
  combined_sections();
  outer();
  alone();
  locked(&lock);
  omp_destroy_lock(&lock);
  return 0;
}
