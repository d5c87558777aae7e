/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Records of tasks: which regions are open in each, with the library's tasks that their ends need.
 *
 * A thread has a chain of records: its implicit task's, and above it those of the explicit tasks
 * that it runs, one within a wait of another.  An untied task may leave a chain for another
 * thread's. */
#ifndef POMP_POMP2_RECORD_H
#define POMP_POMP2_RECORD_H

#include "pomp2.h"
#include "region.h"

/* The open records, by the event that opened each. */
enum pomp2_kind {
  POMP2_OPEN_FORK,
  POMP2_OPEN_PARALLEL,
  POMP2_OPEN_FOR,
  POMP2_OPEN_SECTIONS,
  POMP2_OPEN_SECTION,
  POMP2_OPEN_SINGLE,
  POMP2_OPEN_SINGLE_BLOCK,
  POMP2_OPEN_WORKSHARE,
  POMP2_OPEN_CRITICAL,
  POMP2_OPEN_CRITICAL_BLOCK,
  POMP2_OPEN_ORDERED,
  POMP2_OPEN_ORDERED_BLOCK,
  POMP2_OPEN_ATOMIC,
  POMP2_OPEN_FLUSH,
  POMP2_OPEN_MASTER,
  POMP2_OPEN_BARRIER,
  POMP2_OPEN_IMPLICIT_BARRIER,
  POMP2_OPEN_TASKWAIT,
  POMP2_OPEN_UNSEEN_WAIT,
  POMP2_OPEN_CREATION,
  POMP2_OPEN_UNTIED_CREATION,
  POMP2_OPEN_USER
};

/* Note an open region in the calling thread's current task. */
void pomp2_push(enum pomp2_kind kind, struct pomp2_handle *handle, pomp2_task old);

/* Close a region, and before it open records within it: a cancellation skips the ends of constructs
 * and tasks.  Nothing happens if the region is not open. */
void pomp2_pop(enum pomp2_kind kind, const struct pomp2_handle *handle);

/* Return True if the calling thread's newest event is a fork with this handle: it is the master of
 * the team that begins. */
bool pomp2_is_master_of(const struct pomp2_handle *handle);

/* Close all that is open on the calling thread: it begins as a worker. */
void pomp2_leave_all(void);

/* Close the open records above the innermost implicit task. */
void pomp2_leave_tasks(void);

/* Begin a task's record on the calling thread; end it, after the open records in it.  If the task
 * runs where the thread gives no event of a wait, it gets a wait around it by the handle `wait`: at
 * its end the library gives the thread its own task back. */
void pomp2_begin_task(struct pomp2_handle *handle, struct pomp2_handle *wait, bool untied);
void pomp2_end_task(const struct pomp2_handle *handle);

/* Return the current explicit task's record, NULL in an implicit task; make a record current again.
 */
void *pomp2_record_of_task(void);
void pomp2_resume(void *record);

#endif
