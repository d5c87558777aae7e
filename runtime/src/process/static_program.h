/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Static programs: the functions of threads that the libraries of gcc's languages refer to weakly.
 *
 * These libraries lock where pthread_key_create is in the program, and the measurement needs that.
 * Then they call the other functions, which a static program may not have (gcc's gthr-posix.h). */
#ifndef POMP_STATIC_PROGRAM_H
#define POMP_STATIC_PROGRAM_H

#include "location/service.h"

#include <pthread.h>
#include <sched.h>

#define KEPT(name) (void (*)(void))(name)

static inline void pomp_keep_threads(const struct pomp_settings *settings) {
  static void (*const kept[])(void) = {
      KEPT(pthread_once),
      KEPT(pthread_getspecific),
      KEPT(pthread_setspecific),
      KEPT(pthread_create),
      KEPT(pthread_join),
      KEPT(pthread_equal),
      KEPT(pthread_self),
      KEPT(pthread_detach),
      KEPT(pthread_cancel),
      KEPT(sched_yield),
      KEPT(pthread_mutex_lock),
      KEPT(pthread_mutex_trylock),
      KEPT(pthread_mutex_timedlock),
      KEPT(pthread_mutex_unlock),
      KEPT(pthread_mutex_init),
      KEPT(pthread_mutex_destroy),
      KEPT(pthread_cond_init),
      KEPT(pthread_cond_broadcast),
      KEPT(pthread_cond_signal),
      KEPT(pthread_cond_wait),
      KEPT(pthread_cond_timedwait),
      KEPT(pthread_cond_destroy),
      KEPT(pthread_key_create),
      KEPT(pthread_key_delete),
      KEPT(pthread_mutexattr_init),
      KEPT(pthread_mutexattr_settype),
      KEPT(pthread_mutexattr_destroy),
      KEPT(pthread_rwlock_rdlock),
      KEPT(pthread_rwlock_wrlock),
      KEPT(pthread_rwlock_unlock),
  };
  (void)settings;
  __asm__ volatile("" : : "r"(kept)); /* a section of its own might be left out of the program */
}

static const struct pomp_service pomp_static_program_service = {.start = pomp_keep_threads};

#endif
