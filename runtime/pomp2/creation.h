/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The library's tasks on their way from the creation to the thread that runs them. */
#ifndef POMP_POMP2_CREATION_H
#define POMP_POMP2_CREATION_H

#include "pomp2.h"
#include "region.h"

/* Note a task that the calling thread creates. */
void pomp2_created(const struct pomp2_handle *handle, pomp2_task task);

/* Return the task that the calling thread begins to run: the one handed to it, or the first of its
 * construct that no thread was handed.  flang 19 hands nothing on, as it fills a task's
 * firstprivate variables only when the task runs. */
pomp2_task pomp2_taken(const struct pomp2_handle *handle);

#endif
