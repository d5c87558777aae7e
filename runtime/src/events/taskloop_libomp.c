/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* libomp's calls for a taskloop (openmp/runtime/src/kmp_tasking.cpp).  It copies the task that it
 * is handed for each piece of the loop, and calls the routine in it.  A number of ours goes along
 * in what the compiler and libomp leave alone: beside the priority. */
#include "events/taskloop.h"
#include "events/wrapped_routine.h"
#include "system/init_lock.h"

#include <stddef.h>

/* kmp_task_t, as clang lays it out. */
struct task {
  void *shareds;
  int (*routine)(int, struct task *);
  int part; /* of an untied task: which comes next, from 0 */
  union {
    int (*destructors)(int, struct task *);
    int priority;
  } data1;
  union {
    void *room;
    struct {
      int priority;
      uint32_t ours;
    };
  } data2;
};

#define PARAMETERS                                                                                 \
  void *where, int gtid, struct task *task, int condition, uint64_t *lower, uint64_t *upper,       \
      int64_t stride, int nogroup, int schedule, uint64_t grain
#define ARGUMENTS where, gtid, task, condition, lower, upper, stride, nogroup, schedule, grain

POMP_DECLARE_BEHIND(void, __kmpc_taskloop, PARAMETERS, void *copy);
POMP_DECLARE_BEHIND(void, __kmpc_taskloop_5, PARAMETERS, int modifier, void *copy);
void POMP_WRAPS(__kmpc_taskloop)(PARAMETERS, void *copy);
void POMP_WRAPS(__kmpc_taskloop_5)(PARAMETERS, int modifier, void *copy);

/* The task routine of a loop that is entered on a call path.  Loops are numbered from 1; the array
 * starts at 0. */
struct loop {
  int (*routine)(int, struct task *);
  struct pomp_taskloop loop;
};

enum { MOST_LOOPS = 1 << 12 };

static struct loop loops[MOST_LOOPS];

static int run_task(int gtid, struct task *task) {
  const struct loop *of = &loops[task->data2.ours - 1];
  struct pomp_loop_task measured = pomp_loop_task_begins(of->loop, task->part == 0);
  int result = of->routine(gtid, task);
  pomp_loop_task_ends(measured);
  return result;
}

static bool is_same(const struct loop *a, const struct loop *b) {
  return a->routine == b->routine && a->loop.region == b->loop.region &&
         a->loop.path == b->loop.path;
}

/* Its place in the table from 1; 0: there is no room.  None is ever taken out. */
static uint32_t number_of(struct loop wanted) {
  uint64_t hash =
      ((uintptr_t)wanted.routine ^ (uint64_t)wanted.loop.path << 20) * UINT64_C(0x9e3779b97f4a7c15);
  uint32_t first = (uint32_t)(hash >> 52), number = 0;
  if (!pomp_init_lock())
    return 0;
  for (uint32_t i = 0; i < MOST_LOOPS && !number; i++) {
    struct loop *l = &loops[(first + i) % MOST_LOOPS];
    if (!l->routine)
      *l = wanted;
    if (is_same(l, &wanted))
      number = (uint32_t)(l - loops) + 1;
  }
  pomp_init_unlock();
  return number;
}

/* Has the task call us, and says of which construct it is. */
static struct pomp_taskloop prepare(struct task *task) {
  struct pomp_taskloop none = {0, 0};
  if (sizeof(void *) < 2 * sizeof(int))
    return none;
  struct pomp_taskloop loop = pomp_taskloop_here();
  uint32_t number = loop.region ? number_of((struct loop){task->routine, loop}) : 0;
  if (!number)
    return none;
  task->data2.ours = number;
  task->routine = run_task;
  pomp_taskloop_calls(loop, false);
  return loop;
}

void POMP_WRAPS(__kmpc_taskloop)(PARAMETERS, void *copy) {
  struct pomp_taskloop loop = prepare(task);
  POMP_BEHIND(__kmpc_taskloop)(ARGUMENTS, copy);
  pomp_taskloop_made(loop);
}

void POMP_WRAPS(__kmpc_taskloop_5)(PARAMETERS, int modifier, void *copy) {
  struct pomp_taskloop loop = prepare(task);
  POMP_BEHIND(__kmpc_taskloop_5)(ARGUMENTS, modifier, copy);
  pomp_taskloop_made(loop);
}
