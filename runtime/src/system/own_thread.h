/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Threads of the measurement's own.  The program's signals are not for them, and they do not keep
 * a process that has no other thread any more. */
#ifndef POMP_OWN_THREAD_H
#define POMP_OWN_THREAD_H

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { POMP_OWN_THREAD_OVER = 1 };

struct pomp_own_thread {
  pthread_t id;
  _Atomic uint32_t flags;
  uint64_t next_look; /* its own: whether there are others, by pomp_clock_nanoseconds */
  bool runs;
};

/* False, and errno, when it cannot be started. */
bool pomp_own_thread_start(struct pomp_own_thread *own, void *(*run)(void *));

/* Wakes it; of any thread's or signal handler's making. */
void pomp_own_thread_wake(struct pomp_own_thread *own, uint32_t flag);

/* Called by the thread itself: waits at most `nanoseconds` for flags, and returns them.  Adds OVER
 * if the process has only the runtime's own threads left. */
uint32_t pomp_own_thread_wait(struct pomp_own_thread *own, uint64_t nanoseconds);

/* The processors of all places of libgomp, none if it has no places or is not there. */
void pomp_own_thread_places(cpu_set_t *processors);

/* It has ended after this. */
void pomp_own_thread_finish(struct pomp_own_thread *own);

#endif
