/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The state of a thread that uses devices.  Few threads do, and not all of them have a
 * location: the data is found by a key, so that other threads need no memory for it. */
#ifndef POMP_TARGET_THREAD_H
#define POMP_TARGET_THREAD_H

#include "ompt/target_contents.h"
#include "ompt/target_names.h"
#include "ompt/target_rows.h"

enum { POMP_MOST_LATE_TRANSFERS = 16 };

struct pomp_target_thread {
  /* The construct that the thread executes, as the OpenMP runtime sees it. */
  struct pomp_target_row *row; /* NULL: none, or not measured */
  uint64_t begun;              /* ticks; 0: none */
  bool may_end_early;          /* before the copies to the host have ended */
  uint64_t launched;           /* ticks: the newest launch that is not known to be complete */
  uint64_t since_launch;       /* ticks of operations on data since then */
  uint64_t operation_begun;    /* ticks */
  uint32_t teams;              /* that the newest launch asked for */
  uint32_t kernels;            /* launches that have not returned */
  const struct pomp_target_maps *maps; /* of the call under way; NULL: not known */
  /* From a device other than the host: their content is there at the construct's end. */
  struct pomp_target_transfer late[POMP_MOST_LATE_TRANSFERS];
  uint32_t late_count;
  struct pomp_device_record *intervals; /* that is filled; NULL: none */
  struct pomp_target_thread *next_unused;
};

/* Called once, before the others. */
void pomp_target_threads_prepare(void);

/* The calling thread's, or NULL. */
struct pomp_target_thread *pomp_target_thread(void);

/* The same, made if it is not there; NULL if there is no memory. */
struct pomp_target_thread *pomp_target_thread_made(void);

#endif
