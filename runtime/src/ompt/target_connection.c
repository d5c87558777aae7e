/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompt/target_connection.h"

#include "location/arena.h"
#include "state.h"
#include "system/init_lock.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define NAME "libomp.so"
#define OWN "libpomp.so"

int omp_get_num_devices(void) __attribute__((weak));

/* The library of runtime/offload, beside the shared library that this is a part of. */
void pomp_target_connect(void) {
  Dl_info own;
  char path[PATH_MAX];
  if (dlopen(NAME, RTLD_LAZY | RTLD_NOLOAD))
    return;
  if (!dladdr((void *)(uintptr_t)pomp_target_connect, &own) || !own.dli_fname)
    return;
  const char *name = strrchr(own.dli_fname, '/');
  if (!name || strcmp(name + 1, OWN) != 0)
    return;
  int length =
      snprintf(path, sizeof path, "%.*s/offload/" NAME, (int)(name - own.dli_fname), own.dli_fname);
  if (length > 0 && (size_t)length < sizeof path)
    dlopen(path, RTLD_LAZY);
}

void pomp_target_count_devices(void) {
  static _Atomic bool is_counted;
  char text[24];
  if (atomic_load_explicit(&is_counted, memory_order_relaxed) || !omp_get_num_devices ||
      atomic_exchange(&is_counted, true))
    return;
  snprintf(text, sizeof text, "%d", omp_get_num_devices());
  if (!pomp_is_running() || !pomp_init_lock())
    return;
  pomp_arena_text("target_devices", text, strlen(text));
  pomp_init_unlock();
}
