/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Files that grow while they are mapped. */
#ifndef POMP_EXTEND_H
#define POMP_EXTEND_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A file that is known again when it is opened again. */
struct pomp_extent {
  dev_t device;
  ino_t inode;
};

/* Maps `size` bytes that are added to the file, from `from` on; NULL, and errno.  What is added is
 * there: neither a full disk nor a limit is met by who writes to it. */
char *pomp_extend(int fd, uint64_t from, uint64_t size, int flags);

/* No descriptor is kept: a program may count on its numbers, or close them all. */
int pomp_extent_open(const char *path, const struct pomp_extent *extent);
bool pomp_extent_note(int fd, struct pomp_extent *extent);

/* Cuts off what lies beyond `size`. */
void pomp_extent_cut(const char *path, const struct pomp_extent *extent, uint64_t size);

/* Writes all of it; false and errno on failure. */
bool pomp_write_all(int fd, const char *from, uint64_t size);

#endif
