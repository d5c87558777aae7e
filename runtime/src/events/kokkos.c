/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "events/kokkos.h"

#include "location/thread.h"
#include "state.h"
#include "system/init_lock.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

/* Labels may be made of numbers; beyond this number, a kernel is one of the others. */
enum { BUCKETS = 1024, MOST_LABELS = 1 << 14 };

struct kernel {
  OMPRegDescr region;
  uint64_t hash;
  struct kernel *next;
  char label[];
};

/* The profiling regions that a thread is in.  Kokkos does not say which one ends. */
struct pomp_kernels {
  size_t depth, room;
  struct kernel *kernels[];
};

/* The head of a tool's settings: Kokkos.  Without a request it waits for all kernels around each.
 */
struct kokkos_settings {
  bool requires_global_fencing;
  bool reserved[255];
};

static struct kernel *_Atomic buckets[BUCKETS];
static unsigned label_count;
static bool is_in_use;

char *__cxa_demangle(const char *, char *, size_t *, int *) __attribute__((weak));

static uint64_t hash_of(const char *label) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  while (*label)
    hash = (hash ^ (unsigned char)*label++) * UINT64_C(0x100000001b3);
  return hash;
}

static struct kernel *find(const char *label, uint64_t hash) {
  struct kernel *k = atomic_load_explicit(&buckets[hash % BUCKETS], memory_order_acquire);
  while (k && (k->hash != hash || strcmp(k->label, label) != 0))
    k = k->next;
  return k;
}

/* A kernel without a label has the name of its functor's type, as the compiler mangles it. */
static char *readable(const char *label) {
  int status = 0;
  return __cxa_demangle ? __cxa_demangle(label, NULL, NULL, &status) : NULL;
}

static struct kernel *make(const char *label, uint64_t hash) {
  char *name = readable(label);
  const char *shown = name ? name : label;
  size_t length = strlen(label) + 1, shown_length = strlen(shown) + 1;
  struct kernel *k = pomp_private(sizeof *k + length + shown_length);
  if (k) {
    memcpy(k->label, label, length);
    memcpy(k->label + length, shown, shown_length);
    k->region = (OMPRegDescr){.name = "region",
                              .sub_name = k->label + length,
                              .file_name = "",
                              .size = sizeof k->region,
                              .clauses = "",
                              .function = ""};
    k->hash = hash;
    k->next = atomic_load_explicit(&buckets[hash % BUCKETS], memory_order_relaxed);
    atomic_store_explicit(&buckets[hash % BUCKETS], k, memory_order_release);
    label_count++;
  }
  free(name);
  return k;
}

static struct kernel *kernel_of(const char *label) {
  uint64_t hash = hash_of(label);
  struct kernel *k = find(label, hash);
  if (k || !pomp_init_lock())
    return k;
  if (label_count >= MOST_LABELS)
    hash = hash_of(label = "other kernels");
  k = find(label, hash);
  if (!k)
    k = make(label, hash);
  pomp_init_unlock();
  return k;
}

static struct kernel *begin(const char *label) {
  struct kernel *k = is_in_use && label && pomp_is_running() ? kernel_of(label) : NULL;
  if (k)
    POMP_Begin(&k->region);
  return k;
}

static void end(struct kernel *k) {
  if (k)
    POMP_End(&k->region);
}

static bool make_room(struct pomp_thread *t) {
  struct pomp_kernels *k = t->kernels, *larger = NULL;
  size_t depth = k ? k->depth : 0, room = depth ? 2 * depth : 16;
  if (k && depth < k->room)
    return true;
  if (pomp_init_lock()) {
    larger = pomp_private(sizeof *larger + room * sizeof *larger->kernels);
    pomp_init_unlock();
  }
  if (!larger)
    return false;
  if (depth)
    memcpy(larger->kernels, k->kernels, depth * sizeof *larger->kernels);
  larger->depth = depth;
  larger->room = room;
  t->kernels = larger;
  return true;
}

#define EXPORTED __attribute__((visibility("default")))

#define KERNELS(kind)                                                                              \
  EXPORTED void kokkosp_begin_##kind(const char *label, uint32_t device, uint64_t *kernel);        \
  EXPORTED void kokkosp_end_##kind(uint64_t kernel);                                               \
  void kokkosp_begin_##kind(const char *label, uint32_t device, uint64_t *kernel) {                \
    (void)device;                                                                                  \
    *kernel = (uintptr_t)begin(label);                                                             \
  }                                                                                                \
  void kokkosp_end_##kind(uint64_t kernel) { end((struct kernel *)(uintptr_t)kernel); }
KERNELS(parallel_for)
KERNELS(parallel_reduce)
KERNELS(parallel_scan)

EXPORTED void kokkosp_push_profile_region(const char *label);
void kokkosp_push_profile_region(const char *label) {
  struct kernel *k = begin(label);
  struct pomp_thread *t = k ? pomp_current_thread() : NULL;
  if (t && make_room(t))
    t->kernels->kernels[t->kernels->depth++] = k;
}

EXPORTED void kokkosp_pop_profile_region(void);
void kokkosp_pop_profile_region(void) {
  struct pomp_thread *t = pomp_current_thread();
  if (t && t->kernels && t->kernels->depth)
    end(t->kernels->kernels[--t->kernels->depth]);
}

EXPORTED void kokkosp_request_tool_settings(uint32_t count, struct kokkos_settings *settings);
void kokkosp_request_tool_settings(uint32_t count, struct kokkos_settings *settings) {
  if (count)
    settings->requires_global_fencing = false;
}

static bool uses_kokkos(OMPRegDescr *const *first, OMPRegDescr *const *last) {
  const char *before = NULL;
  for (OMPRegDescr *const *d = first; d < last; d++) {
    const char *file = *d ? (*d)->file_name : NULL;
    if (file && file != before && strstr(file, "/Kokkos_OpenMP_"))
      return true;
    before = file;
  }
  return false;
}

/* Returns this library's path, or NULL where it is a part of the program, which cannot be loaded
 * again. */
static const char *own_path(void) {
  Dl_info own, program;
  bool known = dladdr((void *)(uintptr_t)pomp_kokkos_offer, &own) &&
               dladdr((void *)getauxval(AT_PHDR), &program);
  return known && own.dli_fbase != program.dli_fbase ? own.dli_fname : NULL;
}

void pomp_kokkos_offer(OMPRegDescr *const *first, OMPRegDescr *const *last) {
  if (is_in_use || !uses_kokkos(first, last))
    return;
  const char *path = own_path();
  is_in_use = true;
  if (path && path[0] == '/')
    setenv("KOKKOS_TOOLS_LIBS", path, 0);
}
