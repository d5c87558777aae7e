/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The tasks of a taskloop, for which the program makes no events.  The linker (--wrap) redirects
 * the compiler's call for the construct to a function of ours.  That function gives the OpenMP
 * runtime a task routine of ours, which makes the events. */
#ifndef POMP_TASKLOOP_H
#define POMP_TASKLOOP_H

#include <stdbool.h>
#include <stdint.h>

/* A construct's visit; region 0: its tasks are not measured. */
struct pomp_taskloop {
  uint32_t region;
  uint32_t path; /* that the tasks are made on */
};

/* One of its tasks, on the thread that runs it. */
struct pomp_loop_task {
  uint64_t below;
  enum { POMP_LOOP_UNTOLD, POMP_LOOP_OPEN, POMP_LOOP_FRAMELESS } state;
};

/* The construct that the thread has entered, and of which no task is made yet. */
struct pomp_taskloop pomp_taskloop_here(void);

/* The call for the construct begins.  One that waits for its tasks is booked as a wait. */
void pomp_taskloop_calls(struct pomp_taskloop loop, bool waits);

/* It has made the tasks, and the construct has yet to wait for them. */
void pomp_taskloop_made(struct pomp_taskloop loop);

/* An untied task comes in parts, of which the first is counted. */
struct pomp_loop_task pomp_loop_task_begins(struct pomp_taskloop loop, bool is_first);
void pomp_loop_task_ends(struct pomp_loop_task task);

#endif
