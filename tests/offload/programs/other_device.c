/* Calls the library's callbacks as the OpenMP runtime would for a device that is not the host. */
#include <stdint.h>
#include <string.h>
#include <time.h>

enum { DEVICE = 7, HOST = -1, BEGIN = 1, END = 2, KERNEL = 1, UPDATE = 4, TO = 2, FROM = 3 };

typedef union {
  uint64_t value;
  void *ptr;
} data_t;
typedef void (*function_t)(void);
typedef struct {
  int (*initialize)(function_t (*lookup)(const char *), int device, data_t *tool);
} tool_t;
tool_t *ompt_start_tool(unsigned version, const char *runtime);

static function_t callbacks[64];
static int set_callback(int event, function_t callback) {
  callbacks[event] = callback;
  return 5; /* ompt_set_always */
}
static function_t lookup(const char *name) {
  return strcmp(name, "ompt_set_callback") ? NULL : (function_t)set_callback;
}

static char buffer[4096], copy[4096];

static void target(int kind, int endpoint, data_t *task) {
  ((void (*)(int, int, int, data_t *, data_t *, data_t *, const void *))callbacks[33])(
      kind, endpoint, DEVICE, task, NULL, NULL, NULL);
}
static void transfer(int kind) {
  for (int endpoint = BEGIN; endpoint <= END; endpoint++)
    ((void (*)(int, data_t *, data_t *, uint64_t *, int, void *, int, void *, int, size_t,
               const void *))callbacks[34])(
        endpoint, NULL, NULL, NULL, kind, kind == TO ? buffer : copy, kind == TO ? HOST : DEVICE,
        kind == TO ? copy : buffer, kind == TO ? DEVICE : HOST, sizeof buffer, NULL);
}
static data_t task_of_target(void) {
  data_t task = {0};
  ((void (*)(data_t *, const void *, data_t *, int, int, const void *))callbacks[5])(
      NULL, NULL, &task, 8, 0, NULL);
  return task;
}

/* What comes from the device arrives before the construct's end, or behind it. */
static void update_from(data_t *task, int arrives_late) {
  memset(buffer, 1, sizeof buffer);
  target(UPDATE, BEGIN, task);
  transfer(FROM);
  if (!arrives_late)
    memset(buffer, 2, sizeof buffer);
  target(UPDATE, END, task);
  memset(buffer, 2, sizeof buffer);
}
static void update_to(int content) {
  memset(buffer, content, sizeof buffer);
  target(UPDATE, BEGIN, NULL);
  transfer(TO);
  target(UPDATE, END, NULL);
}

static void launch(void) {
  target(KERNEL, BEGIN, NULL);
  for (int endpoint = BEGIN; endpoint <= END; endpoint++)
    ((void (*)(int, data_t *, uint64_t *, unsigned))callbacks[35])(endpoint, NULL, NULL, 4);
  nanosleep(&(struct timespec){0, 20000000}, NULL); /* the kernel runs on */
  target(KERNEL, END, NULL);
}

int main(void) {
  int used = 0;
#pragma omp target map(tofrom : used)
  used++;
  tool_t *tool = ompt_start_tool(5, "a runtime");
  if (!tool || !tool->initialize(lookup, 0, NULL) || !callbacks[34])
    return 1;
  ((void (*)(int, const char *, void *, function_t (*)(const char *), const char *))callbacks[12])(
      DEVICE, "nvptx64", NULL, NULL, NULL);
#pragma omp parallel num_threads(1)
  {
    update_from(NULL, 0);
    update_to(2);
  }
#pragma omp parallel num_threads(1)
  {
    data_t task = task_of_target();
    update_from(&task, 1);
    update_to(1);
  }
#pragma omp parallel num_threads(1)
  launch();
  return used - 1;
}
