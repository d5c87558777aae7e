/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* libgomp's call for a taskloop (libgomp/taskloop.c), which libomp has, too.  It copies `data` for
 * each task, sets the first two words to the task's bounds, and calls the function with the copy.
 * We hand it data that has ours in front of the program's. */
#include "events/taskloop.h"
#include "events/wrapped_routine.h"

#include <alloca.h>
#include <stddef.h>
#include <string.h>

#define FUNCTION void (*function)(void *)
#define COPY void (*copy)(void *, void *)

#define DECLARE(name, type)                                                                        \
  POMP_DECLARE_BEHIND(void, name, FUNCTION, void *data, COPY, long size, long alignment,           \
                      unsigned flags, unsigned long tasks, int priority, type start, type end,     \
                      type step);                                                                  \
  void POMP_WRAPS(name)(FUNCTION, void *data, COPY, long size, long alignment, unsigned flags,     \
                        unsigned long tasks, int priority, type start, type end, type step)

DECLARE(GOMP_taskloop, long);
DECLARE(GOMP_taskloop_ull, unsigned long long);

enum { IS_NOGROUP = 1 << 11, BOUNDS = 2 * sizeof(long long), MOST_DATA = 1 << 16 };

/* In front of the program's data. */
struct ours {
  long long bounds[2];
  void *reductions; /* the third word, which libgomp looks at */
  FUNCTION;
  COPY;
  void *data;  /* the program's own, to copy from */
  long offset; /* of the program's data from here */
  struct pomp_taskloop loop;
};

static void *data_of(const struct ours *o) { return (char *)(uintptr_t)o + o->offset; }

static void copy_task(void *to, void *from) {
  const struct ours *o = from;
  memcpy(to, o, sizeof *o);
  o->copy((char *)to + o->offset, o->data);
}

static void run_task(void *ours) {
  struct ours *o = ours;
  void *data = data_of(o);
  memcpy(data, o->bounds, BOUNDS);
  struct pomp_loop_task task = pomp_loop_task_begins(o->loop, true);
  o->function(data);
  pomp_loop_task_ends(task);
}

static long unit_of(long alignment) {
  return alignment > (long)_Alignof(struct ours) ? alignment : (long)_Alignof(struct ours);
}

static long round_up(long size, long unit) { return (size + unit - 1) / unit * unit; }

/* Data of a size that no construct has is handed on as it is. */
static struct pomp_taskloop loop_of(long size, long alignment) {
  struct pomp_taskloop none = {0, 0};
  bool is_known = sizeof(long) == sizeof(long long) && size >= BOUNDS && size < MOST_DATA &&
                  alignment < MOST_DATA;
  return is_known ? pomp_taskloop_here() : none;
}

static void fill_ours(struct ours *o, struct pomp_taskloop loop, FUNCTION, COPY, void *data,
                      long size, long offset) {
  *o = (struct ours){{0, 0}, NULL, function, copy, data, offset, loop};
  if (size >= BOUNDS + (long)sizeof o->reductions)
    memcpy(&o->reductions, (char *)data + BOUNDS, sizeof o->reductions);
  if (!copy)
    memcpy(data_of(o), data, (size_t)size);
}

#define WRAP(name, type)                                                                           \
  void POMP_WRAPS(name)(FUNCTION, void *data, COPY, long size, long alignment, unsigned flags,     \
                        unsigned long tasks, int priority, type start, type end, type step) {      \
    struct pomp_taskloop loop = loop_of(size, alignment);                                          \
    if (!loop.region) {                                                                            \
      POMP_BEHIND(name)                                                                            \
      (function, data, copy, size, alignment, flags, tasks, priority, start, end, step);           \
      return;                                                                                      \
    }                                                                                              \
    long unit = unit_of(alignment), offset = round_up(sizeof(struct ours), unit);                  \
    char *room = alloca((size_t)(offset + size + unit));                                           \
    struct ours *o = (struct ours *)(room + round_up((long)room, unit) - (long)room);              \
    fill_ours(o, loop, function, copy, data, size, offset);                                        \
    pomp_taskloop_calls(loop, !(flags & IS_NOGROUP));                                              \
    POMP_BEHIND(name)                                                                              \
    (run_task, o, copy ? copy_task : NULL, offset + size, unit, flags, tasks, priority, start,     \
     end, step);                                                                                   \
  }

WRAP(GOMP_taskloop, long)
WRAP(GOMP_taskloop_ull, unsigned long long)
