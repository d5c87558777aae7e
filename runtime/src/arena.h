/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The experiment file, mapped, or in memory: records are appended and never move. */
#ifndef POMP_ARENA_H
#define POMP_ARENA_H

#include "format.h"

#include <stdbool.h>
#include <stddef.h>

/* NULL until the arena is open. */
extern struct pomp_file_header *pomp_header;

/* In memory; false when there is none. */
bool pomp_arena_open(void);

/* Moves the records, which stay where they are mapped, into an empty file; path is used again when
 * it grows.  On failure false, and errno: they are in memory still.  Nobody writes meanwhile. */
bool pomp_arena_put(int fd, const char *path);

/* A zeroed record that readers pass over until it is published; NULL when the
 * file cannot grow, which is said once.  Within pomp_slow_begin and _end. */
void *pomp_arena_record(size_t size);
void pomp_arena_publish(void *record, enum pomp_record_type type);
void pomp_arena_text(const char *key, const char *value, size_t length);

/* In a forked child: the records stay where they are mapped, and leave the file. */
bool pomp_arena_detach(void);

/* Writes a detached arena out; false and errno on failure. */
bool pomp_arena_write(int fd);

/* Cuts off what was never used. */
void pomp_arena_trim(void);

#endif
