/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Regions: what POMP2 knows of a descriptor, with a handle for each region type that it has. */
#ifndef POMP_POMP2_REGION_H
#define POMP_POMP2_REGION_H

#include "export.h"

#include <stdbool.h>
#include <stddef.h>

/* The region types of the contract, and a user region. */
enum pomp2_type {
  POMP2_NONE,
  POMP2_ATOMIC,
  POMP2_BARRIER,
  POMP2_CRITICAL,
  POMP2_DO,
  POMP2_FLUSH,
  POMP2_FOR,
  POMP2_MASTER,
  POMP2_ORDERED,
  POMP2_PARALLEL,
  POMP2_PARALLEL_DO,
  POMP2_PARALLEL_FOR,
  POMP2_PARALLEL_SECTIONS,
  POMP2_PARALLEL_WORKSHARE,
  POMP2_SECTIONS,
  POMP2_SINGLE,
  POMP2_TASK,
  POMP2_TASKWAIT,
  POMP2_WORKSHARE,
  POMP2_USER,
  POMP2_TYPES
};

#define POMP2_MASK(type) (1u << (type))

enum { POMP2_MOST_TYPES = 3 };

struct pomp2_handle {
  void *library; /* the library's own */
  char *contract;
  enum pomp2_type type;
};

/* Return the descriptor's handle of one of the types, the first if there are several; NULL if it
 * has none. */
struct pomp2_handle *pomp2_handle_of(OMPRegDescr *d, unsigned types);

/* Assign a handle to every region of the program that has none, and from now on to each that comes
 * with a shared library; user regions, if they are asked for, or all others. */
void pomp2_assign_handles(bool user);

/* Return the number of handles of user regions, or of all others. */
size_t pomp2_count_handles(bool user);

#endif
