/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counters/papi.h"

#include "system/message.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

/* A wholly static program has none of these. */
void *dlopen(const char *file, int mode) __attribute__((weak));
void *dlsym(void *handle, const char *name) __attribute__((weak));

enum { OK = 0, NO_SET = -1, NEWEST_MAJOR = 9, MOST_MINORS = 16 };

static struct {
  int (*library_init)(int version);
  int (*thread_init)(unsigned long (*id)(void));
  int (*register_thread)(void);
  int (*event_name_to_code)(const char *name, int *code);
  int (*query_event)(int code);
  int (*create_eventset)(int *set);
  int (*add_event)(int set, int code);
  int (*start)(int set);
  int (*read)(int set, long long *values);
  int (*stop)(int set, long long *values);
  int (*cleanup_eventset)(int set);
  int (*destroy_eventset)(int *set);
} papi;

static const struct {
  const char *name;
  void *where;
} functions[] = {
    {"PAPI_library_init", &papi.library_init},
    {"PAPI_thread_init", &papi.thread_init},
    {"PAPI_register_thread", &papi.register_thread},
    {"PAPI_event_name_to_code", &papi.event_name_to_code},
    {"PAPI_query_event", &papi.query_event},
    {"PAPI_create_eventset", &papi.create_eventset},
    {"PAPI_add_event", &papi.add_event},
    {"PAPI_start", &papi.start},
    {"PAPI_read", &papi.read},
    {"PAPI_stop", &papi.stop},
    {"PAPI_cleanup_eventset", &papi.cleanup_eventset},
    {"PAPI_destroy_eventset", &papi.destroy_eventset},
};

static const char *const libraries[] = {"libpapi.so.7.1", "libpapi.so.7.0", "libpapi.so.7",
                                        "libpapi.so.6.0", "libpapi.so.6",   "libpapi.so.5.7",
                                        "libpapi.so"};

static unsigned long own_id(void) { return (unsigned long)pthread_self(); }

static void *load_library(void) {
  void *library = NULL;
  for (size_t i = 0; dlopen && dlsym && !library && i < sizeof libraries / sizeof *libraries; i++)
    library = dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL);
  return library;
}

static bool load_functions(void *library) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    void *function = dlsym(library, functions[i].name);
    if (!function)
      return false;
    *(void **)functions[i].where = function;
  }
  return true;
}

/* PAPI asks for the version that the caller was built for. */
static bool initialise(void) {
  for (int major = NEWEST_MAJOR; major >= 5; major--)
    for (int minor = 0; minor < MOST_MINORS; minor++) {
      int version = major << 24 | minor << 16;
      if (papi.library_init(version) == version)
        return papi.thread_init(own_id) == OK;
    }
  return false;
}

static bool is_loaded(void) {
  static enum { UNKNOWN, LOADED, ABSENT } state;
  if (state == UNKNOWN) {
    void *library = load_library();
    state = library && load_functions(library) && initialise() ? LOADED : ABSENT;
  }
  return state == LOADED;
}

/* An event that PAPI knows need not be countable on this processor. */
static bool counts(int code) {
  int set = NO_SET;
  long long value;
  if (papi.create_eventset(&set) != OK)
    return false;
  bool works = papi.add_event(set, code) == OK && papi.start(set) == OK;
  if (works)
    papi.stop(set, &value);
  papi.cleanup_eventset(set);
  papi.destroy_eventset(&set);
  return works;
}

bool pomp_papi_find(struct pomp_metric *m) {
  int code;
  if (!is_loaded() || papi.event_name_to_code(m->name, &code) != OK ||
      papi.query_event(code) != OK || !counts(code))
    return false;
  m->code = (uint32_t)code;
  return true;
}

int pomp_papi_open(void) {
  int set = NO_SET;
  bool all = true;
  for (uint32_t i = 0; i < pomp_metric_count; i++) {
    if (!pomp_metrics[i].by_papi)
      continue;
    if (set == NO_SET && (papi.register_thread() != OK || papi.create_eventset(&set) != OK))
      return -1;
    all = all && papi.add_event(set, (int)(uint32_t)pomp_metrics[i].code) == OK;
  }
  return set != NO_SET && all && papi.start(set) == OK ? set : -1;
}

void pomp_papi_close(int set) {
  long long values[POMP_MOST_METRICS];
  if (set < 0)
    return;
  papi.stop(set, values);
  papi.cleanup_eventset(set);
  papi.destroy_eventset(&set);
}

void pomp_papi_read(int set, uint64_t *values) {
  long long read[POMP_MOST_METRICS];
  uint32_t next = 0;
  if (set < 0 || papi.read(set, read) != OK)
    return;
  for (uint32_t i = 0; i < pomp_metric_count; i++)
    if (pomp_metrics[i].by_papi)
      values[i] = (uint64_t)read[next++];
}
