/* Objects that a thread holds for LATE while another waits, each kind in a function of its own. */
#include <omp.h>
#include <stdatomic.h>
#include <unistd.h>

enum { LATE = 50000 };

struct meeting {
  atomic_int held, awaited;
};

/* The second thread comes when the first has what it wants. */
static void come(struct meeting *m) {
  if (omp_get_thread_num() == 0)
    return;
  while (!m->held)
    usleep(100);
  m->awaited = 1;
}

/* The first holds it from when the second comes. */
static void hold(struct meeting *m) {
  if (omp_get_thread_num() != 0)
    return;
  m->held = 1;
  while (!m->awaited)
    usleep(100);
  usleep(LATE);
}

static void by_critical(void) {
  static struct meeting m;
#pragma omp parallel num_threads(2)
  {
    come(&m);
#pragma omp critical(name)
    hold(&m);
  }
}

static void by_order(void) {
  static struct meeting m;
#pragma omp parallel num_threads(2)
  {
#pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < 2; i++) {
      come(&m);
#pragma omp ordered
      hold(&m);
    }
  }
}

static void by_lock(omp_lock_t *lock) {
  static struct meeting m;
#pragma omp parallel num_threads(2)
  {
    come(&m);
    omp_set_lock(lock);
    hold(&m);
    omp_unset_lock(lock);
  }
}

static void by_nest_lock(omp_nest_lock_t *lock) {
  static struct meeting m;
#pragma omp parallel num_threads(2)
  {
    come(&m);
    omp_set_nest_lock(lock);
    hold(&m);
    omp_unset_nest_lock(lock);
  }
}

/* A lock that is not to be had is not held. */
static void by_test(omp_lock_t *lock) {
  static struct meeting m;
#pragma omp parallel num_threads(2)
  {
    come(&m);
    if (omp_test_lock(lock)) {
      hold(&m);
      omp_unset_lock(lock);
    }
  }
}

static void at_once(void) {
  static int sum;
#pragma omp parallel num_threads(2)
  {
#pragma omp atomic
    sum++;
  }
}

int main(void) {
  omp_lock_t lock;
  omp_nest_lock_t nest;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
  by_critical();
  by_order();
  by_lock(&lock);
  by_nest_lock(&nest);
  by_test(&lock);
  at_once();
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest);
  return 0;
}
