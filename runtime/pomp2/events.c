/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The POMP functions, each by the POMP2 function of the same meaning.  A descriptor without a
 * handle of the event's region types has no event in POMP2. */
#include "creation.h"
#include "pomp2.h"
#include "record.h"
#include "region.h"

int omp_get_max_threads(void) __attribute__((weak));

#define LOOPS                                                                                      \
  (POMP2_MASK(POMP2_FOR) | POMP2_MASK(POMP2_DO) | POMP2_MASK(POMP2_PARALLEL_FOR) |                 \
   POMP2_MASK(POMP2_PARALLEL_DO))
#define SECTIONS (POMP2_MASK(POMP2_SECTIONS) | POMP2_MASK(POMP2_PARALLEL_SECTIONS))
#define WORKSHARES (POMP2_MASK(POMP2_WORKSHARE) | POMP2_MASK(POMP2_PARALLEL_WORKSHARE))
#define PARALLELS                                                                                  \
  (POMP2_MASK(POMP2_PARALLEL) | POMP2_MASK(POMP2_PARALLEL_FOR) | POMP2_MASK(POMP2_PARALLEL_DO) |   \
   POMP2_MASK(POMP2_PARALLEL_SECTIONS) | POMP2_MASK(POMP2_PARALLEL_WORKSHARE))
#define SINGLE POMP2_MASK(POMP2_SINGLE)
#define CRITICAL POMP2_MASK(POMP2_CRITICAL)
#define ORDERED POMP2_MASK(POMP2_ORDERED)
#define ATOMIC POMP2_MASK(POMP2_ATOMIC)
#define FLUSH POMP2_MASK(POMP2_FLUSH)
#define MASTER POMP2_MASK(POMP2_MASTER)
#define TASKS POMP2_MASK(POMP2_TASK)
#define WAITS POMP2_MASK(POMP2_TASKWAIT)
#define USER POMP2_MASK(POMP2_USER)
#define ALL (~0u)

/* An event that opens a region, with the contract or without, and the one that closes it. */
#define OPENS_BY(name, types, kind, call)                                                          \
  void POMP_##name(OMPRegDescr *d) {                                                               \
    struct pomp2_handle *handle = pomp2_handle_of(d, types);                                       \
    if (!handle)                                                                                   \
      return;                                                                                      \
    pomp2_push(kind, handle, 0);                                                                   \
    call;                                                                                          \
  }
#define OPENS(name, types, kind, event)                                                            \
  OPENS_BY(name, types, kind, POMP2_##event(&handle->library, handle->contract))
#define OPENS_BLOCK(name, types, kind, event)                                                      \
  OPENS_BY(name, types, kind, POMP2_##event(&handle->library))
#define CLOSES(name, types, kind)                                                                  \
  void POMP_##name(OMPRegDescr *d) {                                                               \
    const struct pomp2_handle *handle = pomp2_handle_of(d, types);                                 \
    if (handle)                                                                                    \
      pomp2_pop(kind, handle);                                                                     \
  }
#define IGNORED(name)                                                                              \
  void POMP_##name(OMPRegDescr *d) { (void)d; }

OPENS(For_enter, LOOPS, POMP2_OPEN_FOR, For_enter)
CLOSES(For_exit, LOOPS, POMP2_OPEN_FOR)
OPENS(Loop_enter, LOOPS, POMP2_OPEN_FOR, For_enter)
CLOSES(Loop_exit, LOOPS, POMP2_OPEN_FOR)
OPENS(Sections_enter, SECTIONS, POMP2_OPEN_SECTIONS, Sections_enter)
OPENS(Section_begin, SECTIONS, POMP2_OPEN_SECTION, Section_begin)
CLOSES(Section_end, SECTIONS, POMP2_OPEN_SECTION)
CLOSES(Sections_exit, SECTIONS, POMP2_OPEN_SECTIONS)
OPENS(Single_enter, SINGLE, POMP2_OPEN_SINGLE, Single_enter)
OPENS_BLOCK(Single_begin, SINGLE, POMP2_OPEN_SINGLE_BLOCK, Single_begin)
CLOSES(Single_end, SINGLE, POMP2_OPEN_SINGLE_BLOCK)
CLOSES(Single_exit, SINGLE, POMP2_OPEN_SINGLE)
OPENS(Workshare_enter, WORKSHARES, POMP2_OPEN_WORKSHARE, Workshare_enter)
CLOSES(Workshare_exit, WORKSHARES, POMP2_OPEN_WORKSHARE)
OPENS(Scope_enter, WORKSHARES, POMP2_OPEN_WORKSHARE, Workshare_enter)
IGNORED(Scope_begin)
IGNORED(Scope_end)
CLOSES(Scope_exit, WORKSHARES, POMP2_OPEN_WORKSHARE)
OPENS(Critical_enter, CRITICAL, POMP2_OPEN_CRITICAL, Critical_enter)
OPENS_BLOCK(Critical_begin, CRITICAL, POMP2_OPEN_CRITICAL_BLOCK, Critical_begin)
CLOSES(Critical_end, CRITICAL, POMP2_OPEN_CRITICAL_BLOCK)
CLOSES(Critical_exit, CRITICAL, POMP2_OPEN_CRITICAL)
OPENS(Ordered_enter, ORDERED, POMP2_OPEN_ORDERED, Ordered_enter)
OPENS_BLOCK(Ordered_begin, ORDERED, POMP2_OPEN_ORDERED_BLOCK, Ordered_begin)
CLOSES(Ordered_end, ORDERED, POMP2_OPEN_ORDERED_BLOCK)
CLOSES(Ordered_exit, ORDERED, POMP2_OPEN_ORDERED)
OPENS(Atomic_enter, ATOMIC, POMP2_OPEN_ATOMIC, Atomic_enter)
CLOSES(Atomic_exit, ATOMIC, POMP2_OPEN_ATOMIC)
OPENS(Flush_enter, FLUSH, POMP2_OPEN_FLUSH, Flush_enter)
CLOSES(Flush_exit, FLUSH, POMP2_OPEN_FLUSH)
OPENS(Master_begin, MASTER, POMP2_OPEN_MASTER, Master_begin)
CLOSES(Master_end, MASTER, POMP2_OPEN_MASTER)
OPENS(Masked_begin, MASTER, POMP2_OPEN_MASTER, Master_begin)
CLOSES(Masked_end, MASTER, POMP2_OPEN_MASTER)

/* The fork's `if` and number of threads are those of a region without clauses. */
void POMP_Parallel_fork(OMPRegDescr *d) {
  struct pomp2_handle *handle = pomp2_handle_of(d, PARALLELS);
  if (!handle)
    return;
  pomp2_task old = 0;
  POMP2_Parallel_fork(&handle->library, 1, omp_get_max_threads ? omp_get_max_threads() : 1, &old,
                      handle->contract);
  pomp2_push(POMP2_OPEN_FORK, handle, old);
}

void POMP_Parallel_begin(OMPRegDescr *d) {
  struct pomp2_handle *handle = pomp2_handle_of(d, PARALLELS);
  if (!handle)
    return;
  if (!pomp2_is_master_of(handle))
    pomp2_leave_all();
  pomp2_push(POMP2_OPEN_PARALLEL, handle, 0);
  POMP2_Parallel_begin(&handle->library);
}

CLOSES(Parallel_end, PARALLELS, POMP2_OPEN_PARALLEL)
CLOSES(Parallel_join, PARALLELS, POMP2_OPEN_FORK)

/* A barrier is in an implicit task; the construct's own if it was made explicit. */
void POMP_Barrier_enter(OMPRegDescr *d) {
  struct pomp2_handle *handle = pomp2_handle_of(d, ALL);
  if (!handle)
    return;
  pomp2_leave_tasks();
  pomp2_task old = 0;
  bool is_directive = handle->type == POMP2_BARRIER;
  if (is_directive)
    POMP2_Barrier_enter(&handle->library, &old, handle->contract);
  else
    POMP2_Implicit_barrier_enter(&handle->library, &old);
  pomp2_push(is_directive ? POMP2_OPEN_BARRIER : POMP2_OPEN_IMPLICIT_BARRIER, handle, old);
}

void POMP_Barrier_exit(OMPRegDescr *d) {
  const struct pomp2_handle *handle = pomp2_handle_of(d, ALL);
  if (handle)
    pomp2_pop(handle->type == POMP2_BARRIER ? POMP2_OPEN_BARRIER : POMP2_OPEN_IMPLICIT_BARRIER,
              handle);
}

/* A thread that may run other tasks gets its own task back at the end. */
static void wait_begin(OMPRegDescr *d) {
  struct pomp2_handle *handle = pomp2_handle_of(d, WAITS);
  if (!handle)
    return;
  pomp2_task old = 0;
  POMP2_Taskwait_begin(&handle->library, &old, handle->contract);
  pomp2_push(POMP2_OPEN_TASKWAIT, handle, old);
}

#define WAITS_FOR_TASKS(construct)                                                                 \
  void POMP_##construct##_enter(OMPRegDescr *d) { wait_begin(d); }                                 \
  CLOSES(construct##_exit, WAITS, POMP2_OPEN_TASKWAIT)

WAITS_FOR_TASKS(Taskwait)
WAITS_FOR_TASKS(Taskyield)
WAITS_FOR_TASKS(Taskloop)
IGNORED(Taskgroup_enter)
IGNORED(Taskgroup_begin)
void POMP_Taskgroup_end(OMPRegDescr *d) { wait_begin(d); }
CLOSES(Taskgroup_exit, WAITS, POMP2_OPEN_TASKWAIT)

void POMP_Task_enter(OMPRegDescr *d) {
  struct pomp2_handle *handle = pomp2_handle_of(d, TASKS);
  if (!handle)
    return;
  bool untied = d->flags & POMP_UNTIED;
  pomp2_task old = 0, new_task = 0;
  if (untied)
    POMP2_Untied_task_create_begin(&handle->library, &new_task, &old, 1, handle->contract);
  else
    POMP2_Task_create_begin(&handle->library, &new_task, &old, 1, handle->contract);
  pomp2_created(handle, new_task);
  pomp2_push(untied ? POMP2_OPEN_UNTIED_CREATION : POMP2_OPEN_CREATION, handle, old);
}

void POMP_Task_begin(OMPRegDescr *d) {
  struct pomp2_handle *handle = pomp2_handle_of(d, TASKS);
  if (!handle)
    return;
  bool untied = d->flags & POMP_UNTIED;
  pomp2_begin_task(handle, pomp2_handle_of(d, WAITS), untied);
  (untied ? POMP2_Untied_task_begin : POMP2_Task_begin)(&handle->library, pomp2_taken(handle));
}

void POMP_Task_end(OMPRegDescr *d) {
  const struct pomp2_handle *handle = pomp2_handle_of(d, TASKS);
  if (handle)
    pomp2_end_task(handle);
}

void POMP_Task_exit(OMPRegDescr *d) {
  const struct pomp2_handle *handle = pomp2_handle_of(d, TASKS);
  if (handle)
    pomp2_pop(d->flags & POMP_UNTIED ? POMP2_OPEN_UNTIED_CREATION : POMP2_OPEN_CREATION, handle);
}

void *POMP_Get_task(void) { return pomp2_record_of_task(); }

void POMP_Set_task(void *task) { pomp2_resume(task); }

void *POMP_Get_team(void) { return NULL; }

void POMP_Set_team(void *team) { (void)team; }
