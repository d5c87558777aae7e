/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Services: the parts of the runtime that keep data for each location or for the process.
 *
 * Each service has a row of functions for the moments in the life of a thread and of the process.
 * thread.c and process.c walk the rows in order, at these moments only: no event does.  A function
 * may be NULL. */
#ifndef POMP_SERVICE_H
#define POMP_SERVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pomp_thread;
struct pomp_settings;

struct pomp_service {
  /* The measurement starts.  The caller holds the init lock. */
  void (*start)(const struct pomp_settings *settings);

  /* A location is made; false if there is no memory.  The caller holds the init lock. */
  bool (*make)(struct pomp_thread *t);

  /* The calling thread gets the location.  The caller holds the init lock. */
  void (*attach)(struct pomp_thread *t);

  /* The calling thread is about to end: book the counters before the time of its end is taken. */
  void (*charge)(struct pomp_thread *t);

  /* The calling thread ends, at the time `now`, while the measurement is running. */
  void (*leave)(struct pomp_thread *t, uint64_t now);

  /* The location has no thread any more.  The caller holds the init lock. */
  void (*detach)(struct pomp_thread *t);

  /* In a forked child: the process's data is the parent's, or the location's is.  `lives` if the
   * location is the calling thread's, the only one there is. */
  void (*forget)(void);
  void (*restart)(struct pomp_thread *t, bool lives, uint64_t now);

  /* The measurement has ended; its experiment is in `directory`. */
  void (*end)(const char *directory);
};

/* All rows, up to a NULL: process/services.c. */
extern const struct pomp_service *const pomp_services[];

#endif
