/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reports of the OpenMP runtime on target constructs are booked on the call path that the thread
 * is on.  The program's own events open it, so the place is exact without debug information.  A
 * construct that is a task runs on another thread: the task has its call path. */
#include "ompt/target_events.h"

#include "location/arena.h"
#include "ompt/target_rows.h"
#include "ompt/target_thread.h"
#include "ompt/target_trace.h"
#include "profile/stack.h"
#include "state.h"
#include "system/init_lock.h"

#include <stdio.h>
#include <string.h>

enum { MOST_DEVICES = 64 };

/* The end of a launch is the kernel's if the device is the host. */
struct device {
  char type[48];
  bool is_known, is_told, is_host;
  _Atomic bool is_used;
};

static struct device devices[MOST_DEVICES];
static const char *pending; /* the runtime that reports, until the experiment has its name */

bool pomp_target_is_in_kernel(void) {
  const struct pomp_target_thread *own = pomp_target_thread();
  return own && own->kernels;
}

/* The texts of the experiment.  The caller holds the init lock. */
static void tell(void) {
  char key[32];
  if (!pomp_is_running())
    return;
  if (pending)
    pomp_arena_text("target", pending, strlen(pending));
  pending = NULL;
  for (int i = 0; i < MOST_DEVICES; i++) {
    if (!devices[i].is_known || devices[i].is_told)
      continue;
    snprintf(key, sizeof key, "target_device_%d", i);
    pomp_arena_text(key, devices[i].type, strlen(devices[i].type));
    devices[i].is_told = true;
  }
}

/* A runtime that starts within the measurement's start is announced later. */
static void tell_now(void) {
  if (!pomp_init_lock())
    return;
  tell();
  pomp_init_unlock();
}

static void on_device_initialize(int number, const char *type, void *device,
                                 ompt_function_lookup_t lookup, const char *documentation) {
  (void)device, (void)lookup, (void)documentation;
  if (number < 0 || number >= MOST_DEVICES)
    return;
  struct device *d = &devices[number];
  snprintf(d->type, sizeof d->type, "%s", type ? type : "");
  d->is_host = !strcmp(d->type, "generic-64bit");
  d->is_known = true;
  tell_now();
}

/* The highest bit marks a task that is a target construct; the lower half is its call path. */
#define TASK_OF_TARGET (UINT64_C(1) << 63)

static struct pomp_frame *current_frame(void) {
  struct pomp_thread *t = pomp_current_thread();
  return t ? pomp_top(t) : NULL;
}

/* The call path of an event that no task's construct has; false if it is not to be booked. */
static bool path_here(uint32_t *path) {
  struct pomp_frame *f = current_frame();
  *path = f ? f->path : 0;
  return pomp_is_running() && !pomp_is_muted() && !(f && f->flags & POMP_FRAME_MUTED);
}

static void on_task_create(ompt_data_t *encountering, const void *frame, ompt_data_t *task,
                           int flags, int has_dependences, const void *caller) {
  uint32_t path;
  (void)encountering, (void)frame, (void)has_dependences, (void)caller;
  if (flags & OMPT_TASK_TARGET && path_here(&path))
    task->value = TASK_OF_TARGET | path;
}

static struct pomp_target_row *row_here(int device) {
  uint32_t path;
  return path_here(&path) ? pomp_target_row(path, device) : NULL;
}

static void start_up(struct pomp_target_row *row, int number, uint64_t now) {
  struct pomp_frame *f = current_frame();
  if (number < 0 || number >= MOST_DEVICES || atomic_exchange(&devices[number].is_used, true))
    return;
  tell_now();
  pomp_target_add(row, POMP_TARGET_STARTUP_C, 1);
  if (f && f->path == row->path)
    pomp_target_add(row, POMP_TARGET_STARTUP_T, pomp_elapsed(f->start, now));
}

/* A kernel with nowait is launched by a task, which waits for it; data with nowait may still come.
 */
static bool may_end_early(int kind, bool is_task) {
  return kind >= OMPT_TARGET_ENTER_DATA_NOWAIT || (is_task && kind != OMPT_TARGET);
}

static void begin(struct pomp_target_thread *own, int kind, int device, const ompt_data_t *task) {
  bool is_task = task && task->value & TASK_OF_TARGET && pomp_is_running();
  struct pomp_target_row *row =
      is_task ? pomp_target_row((uint32_t)task->value, device) : row_here(device);
  own->row = row;
  own->begun = pomp_now();
  own->may_end_early = may_end_early(kind, is_task);
  own->launched = 0;
  if (!row)
    return;
  start_up(row, device, own->begun);
  pomp_target_add(row, POMP_TARGET_C, 1);
  pomp_target_add(row, POMP_TARGET_DEFERRED_C, is_task);
}

static void trace_kernel(struct pomp_target_thread *own, uint64_t now, bool is_bound) {
  struct pomp_device_interval kernel = {.begin = own->launched,
                                        .end = now,
                                        .path = own->row->path,
                                        .device = own->row->device,
                                        .operation = POMP_DEVICE_KERNEL,
                                        .is_bound = is_bound,
                                        .teams = own->teams};
  pomp_target_trace(own, &kernel);
}

static void end(struct pomp_target_thread *own) {
  struct pomp_target_row *row = own->row;
  uint64_t now = pomp_now();
  if (row && pomp_is_running()) {
    pomp_target_add(row, POMP_TARGET_T, pomp_elapsed(own->begun, now));
    if (own->launched) {
      pomp_target_add(row, POMP_TARGET_KERNEL_T,
                      pomp_elapsed(own->launched + own->since_launch, now));
      trace_kernel(own, now, true);
    }
  }
  for (uint32_t i = 0; i < own->late_count; i++)
    pomp_target_compare(&own->late[i]);
  own->late_count = 0;
  own->row = NULL;
  own->begun = 0;
}

static void on_target(int kind, int endpoint, int device, ompt_data_t *task,
                      ompt_data_t *target_task, ompt_data_t *target, const void *caller) {
  (void)target_task, (void)target, (void)caller;
  struct pomp_target_thread *own = pomp_target_thread_made();
  if (own && endpoint == OMPT_SCOPE_BEGIN)
    begin(own, kind, device, task);
  else if (own)
    end(own);
}

static bool is_host(int device) {
  return device >= 0 && device < MOST_DEVICES && devices[device].is_host;
}

static void launched(struct pomp_target_thread *own, unsigned teams) {
  struct pomp_target_row *row = own->row;
  pomp_target_add(row, POMP_TARGET_LAUNCH_C, 1);
  pomp_target_add(row, POMP_TARGET_ONE_TEAM_C, teams == 1);
  if (!is_host(row->device))
    return;
  uint64_t now = pomp_now();
  pomp_target_add(row, POMP_TARGET_KERNEL_T, pomp_elapsed(own->launched, now));
  trace_kernel(own, now, false);
  own->launched = 0;
}

/* The end of a launch is the kernel's where the host runs it.  For other devices the
 * construct's end is known, without the operations on data after the launch. */
void pomp_target_on_submit(int endpoint, ompt_data_t *target, uint64_t *operation, unsigned teams) {
  struct pomp_target_thread *own = pomp_target_thread_made();
  (void)target, (void)operation;
  if (!own)
    return;
  if (endpoint == OMPT_SCOPE_BEGIN) {
    own->kernels++;
    own->since_launch = 0;
    own->teams = teams;
    own->launched = pomp_now();
    return;
  }
  own->kernels -= own->kernels > 0;
  if (own->row && pomp_is_running())
    launched(own, teams);
}

/* The columns of an operation: its number, its bytes, its ticks. */
struct columns {
  enum pomp_target_column count, bytes, ticks;
};

static void book(struct pomp_target_row *row, const struct columns *c, uint64_t bytes,
                 uint64_t ticks) {
  pomp_target_add(row, c->count, 1);
  pomp_target_add(row, c->ticks, ticks);
  if (c->count == POMP_TARGET_DELETE_C)
    return;
  pomp_target_add(row, c->bytes, bytes);
  uint64_t largest = __atomic_load_n(&row->bytes, __ATOMIC_RELAXED);
  while (row->address && largest < bytes &&
         !__atomic_compare_exchange_n(&row->bytes, &largest, bytes, true, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
    continue;
}

static const struct columns columns_of[] = {
    [OMPT_TARGET_DATA_ALLOC] = {POMP_TARGET_ALLOC_C, POMP_TARGET_ALLOC_V, POMP_TARGET_ALLOC_T},
    [OMPT_TARGET_DATA_TO] = {POMP_TARGET_TO_C, POMP_TARGET_TO_V, POMP_TARGET_TO_T},
    [OMPT_TARGET_DATA_FROM] = {POMP_TARGET_FROM_C, POMP_TARGET_FROM_V, POMP_TARGET_FROM_T},
    [OMPT_TARGET_DATA_DELETE] = {POMP_TARGET_DELETE_C, 0, POMP_TARGET_DELETE_T},
};

struct operation {
  unsigned kind;
  void *from;
  int from_device;
  void *to;
  int to_device;
  uint64_t bytes;
};

/* Transfers that may still be under way at the construct's end are not compared, nor more than
 * there is room for.  The time of a comparison is no time of the construct's. */
static void compare(struct pomp_target_thread *own, struct pomp_target_transfer t) {
  bool is_late = t.is_from && !is_host(t.construct->device) && own->begun;
  if (is_late && !own->may_end_early && own->late_count < POMP_MOST_LATE_TRANSFERS)
    own->late[own->late_count++] = t;
  if (is_late)
    return;
  uint64_t from = pomp_now();
  pomp_target_compare(&t);
  uint64_t took = pomp_elapsed(from, pomp_now());
  own->since_launch += took;
  if (own->begun)
    own->begun += took;
}

static void trace_operation(struct pomp_target_thread *own, const struct pomp_target_row *row,
                            const struct operation *o, uint64_t took) {
  static const uint16_t operations[] = {[OMPT_TARGET_DATA_ALLOC] = POMP_DEVICE_ALLOC,
                                        [OMPT_TARGET_DATA_TO] = POMP_DEVICE_TO,
                                        [OMPT_TARGET_DATA_FROM] = POMP_DEVICE_FROM,
                                        [OMPT_TARGET_DATA_DELETE] = POMP_DEVICE_DELETE};
  bool is_delete = o->kind == OMPT_TARGET_DATA_DELETE;
  void *host = o->kind == OMPT_TARGET_DATA_FROM ? o->to : o->from;
  struct pomp_device_interval interval = {.begin = own->operation_begun,
                                          .end = own->operation_begun + took,
                                          .address = is_delete ? 0 : (uintptr_t)host,
                                          .bytes = is_delete ? 0 : o->bytes,
                                          .path = row->path,
                                          .device = row->device,
                                          .operation = operations[o->kind]};
  pomp_target_trace(own, &interval);
}

/* An operation that is no construct's is of a routine, such as omp_target_memcpy. */
static void end_operation(struct pomp_target_thread *own, struct operation o) {
  bool leaves = o.kind == OMPT_TARGET_DATA_FROM || o.kind == OMPT_TARGET_DATA_DELETE;
  uint64_t took = pomp_elapsed(own->operation_begun, pomp_now());
  own->since_launch += took;
  struct pomp_target_row *row =
      own->begun ? own->row : row_here(leaves ? o.from_device : o.to_device);
  if (!row || !pomp_is_running())
    return;
  book(row, &columns_of[o.kind], o.bytes, took);
  trace_operation(own, row, &o, took);
  void *host = o.kind == OMPT_TARGET_DATA_FROM ? o.to : o.from;
  if (!host || o.kind == OMPT_TARGET_DATA_DELETE)
    return;
  struct pomp_target_row *place = pomp_target_place(row, (uintptr_t)host);
  if (place)
    book(place, &columns_of[o.kind], o.bytes, took);
  if (pomp_target_compares && o.kind != OMPT_TARGET_DATA_ALLOC)
    compare(own, (struct pomp_target_transfer){row, place, o.kind == OMPT_TARGET_DATA_FROM, host,
                                               o.bytes, took});
}

static void on_data_op(int endpoint, ompt_data_t *target_task, ompt_data_t *target,
                       uint64_t *operation, int operation_kind, void *from, int from_device,
                       void *to, int to_device, size_t bytes, const void *caller) {
  unsigned kind = (unsigned)operation_kind & OMPT_TARGET_DATA_KINDS;
  (void)target_task, (void)target, (void)operation, (void)caller;
  struct pomp_target_thread *own = pomp_target_thread_made();
  if (own && endpoint == OMPT_SCOPE_BEGIN)
    own->operation_begun = pomp_now();
  else if (own && kind >= OMPT_TARGET_DATA_ALLOC && kind <= OMPT_TARGET_DATA_DELETE)
    end_operation(own, (struct operation){kind, from, from_device, to, to_device, bytes});
}

bool pomp_target_set_callbacks(ompt_set_callback_t set, const char *runtime) {
  pomp_target_threads_prepare();
  bool is_set =
      set(OMPT_TARGET_EMI, (ompt_interface_fn_t)on_target) == OMPT_SET_ALWAYS &&
      set(OMPT_TARGET_DATA_OP_EMI, (ompt_interface_fn_t)on_data_op) == OMPT_SET_ALWAYS &&
      set(OMPT_TARGET_SUBMIT_EMI, (ompt_interface_fn_t)pomp_target_on_submit) == OMPT_SET_ALWAYS;
  if (!is_set)
    return false;
  set(OMPT_TASK_CREATE, (ompt_interface_fn_t)on_task_create);
  set(OMPT_DEVICE_INITIALIZE, (ompt_interface_fn_t)on_device_initialize);
  pending = runtime;
  tell_now();
  return true;
}
