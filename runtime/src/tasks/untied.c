/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tasks/untied.h"

#include "counters/counters.h"
#include "system/init_lock.h"
#include "tasks/suspend.h"
#include "tasks/task.h"

enum { FIRST_ROOM = 8, BATCH = 64, MOST_TASKS = 1 << 16 };

/* `home` is the frame that the task has on a thread's stack; who holds that is the only one
 * to touch the rest.  PARKED: it may go on elsewhere.  0: it has none.  `token` is what the
 * program gets; it tells those tasks apart that one object stands for in turn. */
struct pomp_task {
  _Atomic uint64_t home;
  _Atomic uintptr_t token;
  struct pomp_task *next_unused;
  uint32_t count, room;
  struct pomp_frame *frames;
};

static struct pomp_task *spare; /* under the init lock */
static uint32_t made;

/* By the number in its token, from 1: what comes as a token may be anything, since compilers
 * are known to lose the program's variable. */
static struct pomp_task *_Atomic tasks[MOST_TASKS + 1];

#define PARKED UINT64_C(1)
#define MOVING (PARKED << 1)

/* An even number; MOST_TASKS and all that is less fit below the step. */
#define NUMBER(token) ((token) >> 1 & (2 * MOST_TASKS - 1))
#define TOKEN_STEP ((uintptr_t)4 * MOST_TASKS)

static uint64_t home_at(const struct pomp_thread *t, uint64_t base) {
  return ((uint64_t)t->location->id + 1) << 32 | base << 1;
}

static uint64_t home_of(const struct pomp_thread *t, const struct pomp_frame *f) {
  return home_at(t, (uint64_t)(f - t->stack->record->frames) + 1);
}

static struct pomp_task *task_of(const struct pomp_frame *f) {
  return (struct pomp_task *)(uintptr_t)f->task;
}

static void keep(struct pomp_thread *t, struct pomp_task *task) {
  task->next_unused = t->unused_tasks;
  t->unused_tasks = task;
  t->unused_task_count++;
}

static struct pomp_task *take_kept(struct pomp_thread *t) {
  struct pomp_task *task = t->unused_tasks;
  if (task) {
    t->unused_tasks = task->next_unused;
    t->unused_task_count--;
  }
  return task;
}

static struct pomp_task *make_task(void) {
  struct pomp_task *task = made < MOST_TASKS ? pomp_private(sizeof *task) : NULL;
  struct pomp_frame *frames = task ? pomp_private(FIRST_ROOM * sizeof *frames) : NULL;
  if (!frames)
    return NULL;
  task->room = FIRST_ROOM;
  task->frames = frames;
  made++;
  atomic_store_explicit(&task->token, (uintptr_t)made << 1, memory_order_relaxed);
  atomic_store_explicit(&tasks[made], task, memory_order_release);
  return task;
}

static void fetch_batch(struct pomp_thread *t) {
  if (!pomp_init_lock())
    return;
  for (int i = 0; i < BATCH; i++) {
    struct pomp_task *task = spare;
    if (task)
      spare = task->next_unused;
    else
      task = make_task();
    if (!task)
      break;
    keep(t, task);
  }
  pomp_init_unlock();
}

static struct pomp_task *get_task(struct pomp_thread *t) {
  if (!t->unused_tasks)
    fetch_batch(t);
  return take_kept(t);
}

/* Some threads begin more tasks than they end, others end more. */
static void give_back(struct pomp_thread *t, struct pomp_task *task) {
  keep(t, task);
  if (t->unused_task_count < 2 * BATCH || !pomp_init_lock())
    return;
  for (int i = 0; i < BATCH; i++) {
    struct pomp_task *surplus = take_kept(t);
    surplus->next_unused = spare;
    spare = surplus;
  }
  pomp_init_unlock();
}

static void renew_token(struct pomp_task *task) {
  uintptr_t token = atomic_load_explicit(&task->token, memory_order_relaxed);
  atomic_store_explicit(&task->token, token + TOKEN_STEP, memory_order_relaxed);
}

static void trace_task(struct pomp_thread *t, const struct pomp_frame *f, struct pomp_task *task,
                       unsigned how) {
  if (pomp_traces && pomp_trace_has(f))
    pomp_trace_put_value(t, pomp_trace_enter_op(f, how), f->path, f->since,
                         atomic_load_explicit(&task->token, memory_order_relaxed));
}

/* Without a task of ours to keep it in, it cannot be followed. */
void pomp_untied_begins(struct pomp_thread *t, struct pomp_frame *f) {
  struct pomp_task *task = get_task(t);
  f->flags |= POMP_FRAME_UNTIED;
  f->task = task ? (uintptr_t)task : 1;
  if (!task) {
    t->location->dropped++;
    pomp_trace_entered(t, f, f->since);
    return;
  }
  renew_token(task);
  trace_task(t, f, task, 0);
  atomic_store_explicit(&task->home, home_of(t, f), memory_order_relaxed);
}

static bool is_followed(const struct pomp_frame *f) {
  return f->flags & POMP_FRAME_UNTIED && f->task != 1;
}

uintptr_t pomp_untied_token(const struct pomp_frame *f) {
  return is_followed(f) ? atomic_load_explicit(&task_of(f)->token, memory_order_relaxed) : 1;
}

static struct pomp_task *find_task(uintptr_t token) {
  uintptr_t number = NUMBER(token);
  struct pomp_task *task =
      number <= MOST_TASKS ? atomic_load_explicit(&tasks[number], memory_order_acquire) : NULL;
  bool is_its = task && atomic_load_explicit(&task->token, memory_order_relaxed) == token;
  return is_its ? task : NULL;
}

static bool make_room(struct pomp_task *task, uint32_t count) {
  uint32_t room = task->room;
  while (room < count)
    room *= 2;
  if (room == task->room)
    return true;
  struct pomp_frame *frames = NULL;
  if (pomp_init_lock()) {
    frames = pomp_private(room * sizeof *frames);
    pomp_init_unlock();
  }
  if (!frames)
    return false;
  task->frames = frames;
  task->room = room;
  return true;
}

/* A build without ThreadSanitizer hides our atomics from it, so it must not see a memcpy either. */
static void copy(struct pomp_frame *to, const struct pomp_frame *from, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    to[i] = from[i];
    atomic_signal_fence(memory_order_seq_cst);
  }
}

void pomp_untied_park(struct pomp_thread *t) {
  struct pomp_stack_record *r = t->stack->record;
  struct pomp_frame *f = pomp_base(t->stack);
  if (!is_followed(f) || !pomp_is_in_explicit_task(t->stack))
    return;
  struct pomp_task *task = task_of(f);
  uint32_t count = r->depth - (t->stack->base - 1);
  if (atomic_load_explicit(&task->home, memory_order_relaxed) != home_of(t, f))
    return;
  if (!make_room(task, count)) {
    t->location->dropped++;
    return;
  }
  copy(task->frames, f, count);
  task->count = count;
  atomic_store_explicit(&task->home, home_of(t, f) | PARKED, memory_order_release);
}

/* The visit goes on here, and is not counted once more. */
static void push_again(struct pomp_thread *t, const struct pomp_frame *from, uint64_t now) {
  bool muted = from->flags & POMP_FRAME_MUTED;
  uint64_t *slot = muted ? NULL : pomp_path_row(t, from->path);
  struct pomp_frame *f = pomp_push(t, from->region, from->kind, slot, from->phase, now);
  if (f && slot && f->kind == POMP_FRAME_USER)
    pomp_user_begins(t, f, slot);
  if (!f)
    return;
  pomp_trace_frame(t, f, pomp_trace_enter_op(f, POMP_TRACE_RESUMES), now);
  pomp_trace_frame(t, f, POMP_TRACE_PHASE_AGAIN | f->phase, now);
}

static void move_here(struct pomp_thread *t, struct pomp_task *task) {
  const struct pomp_frame *from = task->frames;
  uint64_t *slot = from->flags & POMP_FRAME_MUTED ? NULL : pomp_path_row(t, from->path);
  pomp_task_end_lost(t);
  uint64_t now = pomp_stamp(t);
  struct pomp_frame *f = pomp_task_push(t, from->region, slot, now);
  if (!f)
    return;
  f->flags |= POMP_FRAME_UNTIED;
  f->task = (uintptr_t)task;
  trace_task(t, f, task, POMP_TRACE_RESUMES);
  for (uint32_t i = 1; i < task->count; i++)
    push_again(t, &from[i], now);
  f = pomp_base(t->stack);
  atomic_store_explicit(&task->home, home_of(t, f), memory_order_relaxed);
}

static bool is_here(struct pomp_thread *t, const struct pomp_task *task, uint64_t base) {
  const struct pomp_stack_record *r = t->stack->record;
  const struct pomp_frame *f = &r->frames[base - 1];
  return base && base <= r->depth && f->kind == POMP_FRAME_TASK && is_followed(f) &&
         task_of(f) == task;
}

/* The thread has the task's frames, the newest or beneath others. */
static bool resume_here(struct pomp_thread *t, struct pomp_task *task, uint64_t home) {
  uint64_t base = (home & UINT32_MAX) >> 1;
  if ((home & ~PARKED) != home_at(t, base) || !is_here(t, task, base))
    return false;
  if (home & PARKED &&
      !atomic_compare_exchange_strong_explicit(&task->home, &home, home & ~PARKED,
                                               memory_order_relaxed, memory_order_relaxed))
    return false;
  if (t->stack->base != base)
    pomp_task_end_to(t, base);
  return true;
}

void pomp_untied_resumes(struct pomp_thread *t, uintptr_t token) {
  struct pomp_task *task = find_task(token);
  uint64_t home = task ? atomic_load_explicit(&task->home, memory_order_acquire) : 0;
  if (!task || resume_here(t, task, home))
    return;
  do {
    if (home && !(home & PARKED))
      return;
  } while (!atomic_compare_exchange_weak_explicit(&task->home, &home, MOVING, memory_order_acquire,
                                                  memory_order_acquire));
  move_here(t, task);
}

bool pomp_untied_has_moved(struct pomp_thread *t, const struct pomp_frame *f) {
  if (!is_followed(f))
    return false;
  uint64_t home = atomic_load_explicit(&task_of(f)->home, memory_order_relaxed);
  return (home & ~PARKED) != home_of(t, f);
}

bool pomp_untied_is_away(struct pomp_thread *t, const struct pomp_frame *f) {
  return is_followed(f) &&
         atomic_load_explicit(&task_of(f)->home, memory_order_relaxed) != home_of(t, f);
}

void pomp_untied_leaves(struct pomp_thread *t, const struct pomp_frame *f) {
  if (!is_followed(f))
    return;
  struct pomp_task *task = task_of(f);
  uint64_t parked = home_of(t, f) | PARKED;
  if (atomic_load_explicit(&task->home, memory_order_relaxed) == (parked & ~PARKED))
    give_back(t, task);
  else
    atomic_compare_exchange_strong_explicit(&task->home, &parked, 0, memory_order_acq_rel,
                                            memory_order_relaxed);
}
