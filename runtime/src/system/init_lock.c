/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/init_lock.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>

#define CHUNK ((size_t)1 << 16)

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static __thread __attribute__((tls_model("initial-exec"))) volatile bool within;
static __thread __attribute__((tls_model("initial-exec"))) int cancel_state;
static int saved_errno;

bool pomp_init_lock(void) {
  int error = errno;
  if (within)
    return false;
  within = true;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
  pthread_mutex_lock(&mutex);
  saved_errno = error;
  return true;
}

void pomp_init_unlock(void) {
  int error = saved_errno;
  pthread_mutex_unlock(&mutex);
  pthread_setcancelstate(cancel_state, NULL);
  errno = error;
  within = false;
}

static void *map(size_t size) {
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void *pomp_private(size_t size) {
  static char *chunk;
  static size_t left;
  size = (size + 63) & ~(size_t)63;
  if (size > CHUNK / 4)
    return map(size);
  if (size > left) {
    char *fresh = map(CHUNK);
    if (!fresh)
      return NULL;
    chunk = fresh;
    left = CHUNK;
  }
  void *memory = chunk;
  chunk += size;
  left -= size;
  return memory;
}
