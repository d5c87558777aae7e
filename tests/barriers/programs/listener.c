/* A program's own tool: it says at the end how often a critical or a master block was begun. */
#include <stdint.h>
#include <stdio.h>

typedef void (*function_t)(void);
typedef int (*set_callback_t)(int event, function_t callback);
typedef function_t (*lookup_t)(const char *name);

enum { MASKED = 21, MUTEX_ACQUIRE = 26, CRITICAL = 5, BEGIN = 1 };

struct result {
  int (*initialize)(lookup_t lookup, int device, uint64_t *data);
  void (*finalize)(uint64_t *data);
  uint64_t data;
};

struct result *ompt_start_tool(unsigned version, const char *runtime);

static int criticals, masters;

static void on_mutex(int kind, unsigned hint, unsigned how, uint64_t id, const void *caller) {
  (void)hint, (void)how, (void)id, (void)caller;
  criticals += kind == CRITICAL;
}

static void on_masked(int endpoint, uint64_t *parallel, uint64_t *task, const void *caller) {
  (void)parallel, (void)task, (void)caller;
  masters += endpoint == BEGIN;
}

static int initialize(lookup_t lookup, int device, uint64_t *data) {
  set_callback_t set = (set_callback_t)lookup("ompt_set_callback");
  (void)device, (void)data;
  set(MUTEX_ACQUIRE, (function_t)on_mutex);
  set(MASKED, (function_t)on_masked);
  return 1;
}

static void finalize(uint64_t *data) {
  (void)data;
  printf("%d criticals, %d masters\n", criticals, masters);
}

struct result *ompt_start_tool(unsigned version, const char *runtime) {
  static struct result mine = {initialize, finalize, 0};
  (void)version, (void)runtime;
  return &mine;
}
