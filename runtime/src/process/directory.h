/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef POMP_DIRECTORY_H
#define POMP_DIRECTORY_H

#include <limits.h>
#include <stdbool.h>

/* The place of this process's experiment. */
struct pomp_directory {
  char path[PATH_MAX]; /* absolute */
  char file[PATH_MAX]; /* the file in it */
  bool is_named;       /* by the user: it is no stem of a name */
};

/* Notes the wanted directory (NULL: pomp-<program>-<n>), seen from the one that is current now.
 * On failure false, and the reason has been said. */
bool pomp_directory_choose(struct pomp_directory *where, const char *wanted);

/* Makes the chosen directory and a new, empty file in it; of a job of several processes in its
 * directory rank-<n>.  An experiment that is there already is never touched.  Returns a descriptor
 * of the file; on failure -1, and the reason has been said. */
int pomp_directory_create(struct pomp_directory *where);

/* The same for "<path>.<pid>" beside an experiment. */
int pomp_directory_beside(struct pomp_directory *where, long pid);

/* Removes the file, and the directory unless it holds anything else. */
void pomp_directory_discard(const struct pomp_directory *where);

#endif
