/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Files that grow while they are mapped. */
#ifndef POMP_MAPPED_FILE_H
#define POMP_MAPPED_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A file that is known again when it is opened again. */
struct pomp_mapped_file {
  dev_t device;
  ino_t inode;
};

/* Adds `size` bytes to the file at offset `from`, and maps them.  Disk space is reserved, so that
 * no store meets a full disk or a limit.  On failure returns NULL and sets errno. */
char *pomp_mapped_file_grow(int fd, uint64_t from, uint64_t size, int flags);

/* No descriptor is kept: a program may count on its numbers, or close them all. */
int pomp_mapped_file_open(const char *path, const struct pomp_mapped_file *extent);
bool pomp_mapped_file_note(int fd, struct pomp_mapped_file *extent);

/* Cuts off what lies beyond `size`. */
void pomp_mapped_file_cut(const char *path, const struct pomp_mapped_file *extent, uint64_t size);

/* Writes all bytes; on failure returns false and sets errno. */
bool pomp_write_all(int fd, const char *from, uint64_t size);

#endif
