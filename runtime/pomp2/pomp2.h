/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The interface of POMP2 libraries, as OPARI2 2.0 calls it.  `handle` points to the library's
 * handle of a region, `contract` is the string that describes the region (OPARI2: "ctc string"). */
#ifndef POMP_POMP2_H
#define POMP_POMP2_H

#include <stddef.h>
#include <stdint.h>

typedef int64_t pomp2_task;

/* A region's events without a task: enter or begin with the contract, exit or end without. */
#define POMP2_OPENS(event) void POMP2_##event(void **handle, const char contract[])
#define POMP2_CLOSES(event) void POMP2_##event(void **handle)

POMP2_OPENS(Atomic_enter);
POMP2_CLOSES(Atomic_exit);
POMP2_OPENS(Critical_enter);
POMP2_CLOSES(Critical_begin);
POMP2_CLOSES(Critical_end);
POMP2_CLOSES(Critical_exit);
POMP2_OPENS(Flush_enter);
POMP2_CLOSES(Flush_exit);
POMP2_OPENS(For_enter);
POMP2_CLOSES(For_exit);
POMP2_OPENS(Master_begin);
POMP2_CLOSES(Master_end);
POMP2_OPENS(Ordered_enter);
POMP2_CLOSES(Ordered_begin);
POMP2_CLOSES(Ordered_end);
POMP2_CLOSES(Ordered_exit);
POMP2_CLOSES(Parallel_begin);
POMP2_CLOSES(Parallel_end);
POMP2_OPENS(Section_begin);
POMP2_CLOSES(Section_end);
POMP2_OPENS(Sections_enter);
POMP2_CLOSES(Sections_exit);
POMP2_OPENS(Single_enter);
POMP2_CLOSES(Single_begin);
POMP2_CLOSES(Single_end);
POMP2_CLOSES(Single_exit);
POMP2_OPENS(Workshare_enter);
POMP2_CLOSES(Workshare_exit);
POMP2_CLOSES(Task_end);
POMP2_CLOSES(Untied_task_end);

/* Events that keep the current task in `old`, and those that get it back. */
void POMP2_Parallel_fork(void **handle, int if_clause, int threads, pomp2_task *old,
                         const char contract[]);
void POMP2_Parallel_join(void **handle, pomp2_task old);
void POMP2_Barrier_enter(void **handle, pomp2_task *old, const char contract[]);
void POMP2_Barrier_exit(void **handle, pomp2_task old);
void POMP2_Implicit_barrier_enter(void **handle, pomp2_task *old);
void POMP2_Implicit_barrier_exit(void **handle, pomp2_task old);
void POMP2_Taskwait_begin(void **handle, pomp2_task *old, const char contract[]);
void POMP2_Taskwait_end(void **handle, pomp2_task old);
void POMP2_Task_create_begin(void **handle, pomp2_task *created, pomp2_task *old, int if_clause,
                             const char contract[]);
void POMP2_Task_create_end(void **handle, pomp2_task old);
void POMP2_Task_begin(void **handle, pomp2_task task);
void POMP2_Untied_task_create_begin(void **handle, pomp2_task *created, pomp2_task *old,
                                    int if_clause, const char contract[]);
void POMP2_Untied_task_create_end(void **handle, pomp2_task old);
void POMP2_Untied_task_begin(void **handle, pomp2_task task);

/* Each calls the omp_ routine of its name. */
void POMP2_Init_lock(void *lock);
void POMP2_Destroy_lock(void *lock);
void POMP2_Set_lock(void *lock);
void POMP2_Unset_lock(void *lock);
int POMP2_Test_lock(void *lock);
void POMP2_Init_nest_lock(void *lock);
void POMP2_Destroy_nest_lock(void *lock);
void POMP2_Set_nest_lock(void *lock);
void POMP2_Unset_nest_lock(void *lock);
int POMP2_Test_nest_lock(void *lock);

void POMP2_Assign_handle(void **handle, const char contract[]);

/* The part for user regions, which not every library has. */
#define POMP2_OPTIONAL __attribute__((weak))
void POMP2_Init(void) POMP2_OPTIONAL;
void POMP2_Finalize(void) POMP2_OPTIONAL;
void POMP2_On(void) POMP2_OPTIONAL;
void POMP2_Off(void) POMP2_OPTIONAL;
void POMP2_Begin(void **handle, const char contract[]) POMP2_OPTIONAL;
void POMP2_End(void **handle) POMP2_OPTIONAL;
void POMP2_USER_Assign_handle(void **handle, const char contract[]) POMP2_OPTIONAL;

/* The program's part, which the library calls. */
void POMP2_Init_regions(void);
size_t POMP2_Get_num_regions(void);
void POMP2_USER_Init_regions(void);
size_t POMP2_USER_Get_num_regions(void);
const char *POMP2_Get_opari2_version(void);

#endif
