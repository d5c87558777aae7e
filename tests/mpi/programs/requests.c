/* Threads begin operations, and others complete them: handles are used again at once. */
#include "mpi/mpi.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { THREADS = 4, TIMES = 20000, HANDLES = 64 };

/* A handle as an MPI hands it out: 0 free, 1 taken, 2 begun. */
static _Atomic int handles[HANDLES];
static _Atomic uint64_t booked, at_once;

static int take(int from, int to) {
  for (int i = 0; i < HANDLES; i++) {
    int expected = from;
    if (atomic_compare_exchange_strong(&handles[i], &expected, to))
      return i;
  }
  return -1;
}

static uint64_t key_of(int handle) { return (uint64_t)handle << 2 | 2; }

static void begin(uint64_t bytes) {
  struct pomp_mpi_volume volume = {.out = bytes, .sends = 1};
  int handle = take(0, 1);
  struct pomp_mpi_request *r =
      handle < 0 ? NULL : pomp_mpi_pend(key_of(handle), &volume, false);
  if (!r) {
    atomic_fetch_add(&at_once, bytes);
    if (handle >= 0)
      atomic_store(&handles[handle], 0);
  } else {
    pomp_mpi_let_go(r, key_of(handle));
    atomic_store(&handles[handle], 2);
  }
}

/* Held before the handle is given back, as MPI does within the call that completes it. */
static bool complete(void) {
  int handle = take(2, 1);
  if (handle < 0)
    return false;
  struct pomp_mpi_request *r = pomp_mpi_hold(key_of(handle));
  atomic_store(&handles[handle], 0);
  if (r) {
    atomic_fetch_add(&booked, r->volume.out);
    pomp_mpi_drop(r);
  }
  return true;
}

static void *work(void *unused) {
  (void)unused;
  for (int i = 1; i <= TIMES; i++) {
    begin((uint64_t)i);
    complete();
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  while (complete()) {
  }
  uint64_t all = (uint64_t)THREADS * TIMES * (TIMES + 1) / 2;
  printf("%s\n", booked + at_once == all ? "all is booked" : "something is lost");
  return booked ? 0 : 1;
}
