/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The experiment file, mapped, or in memory: records are appended and never move. */
#ifndef POMP_ARENA_H
#define POMP_ARENA_H

#include "location/format.h"

#include <stdbool.h>
#include <stddef.h>

/* NULL until the arena is open. */
extern struct pomp_file_header *pomp_header;

/* In memory; false when there is none. */
bool pomp_arena_open(void);

/* Moves the records into an empty file; they keep their addresses.  When the file has to grow, it
 * is opened again by `path`.  On failure returns false and sets errno, and the records stay in
 * memory.  No other thread writes meanwhile. */
bool pomp_arena_put(int fd, const char *path);

/* A zeroed record that readers pass over until it is published; NULL when the
 * file cannot grow, which is said once.  The caller holds the init lock. */
void *pomp_arena_record(size_t size);
void pomp_arena_publish(void *record, enum pomp_record_type type);
void pomp_arena_text(const char *key, const char *value, size_t length);

/* In a forked child: the records stay where they are mapped, and leave the file. */
bool pomp_arena_detach(void);

/* Writes a detached arena out; false and errno on failure. */
bool pomp_arena_write(int fd);

/* Cuts off the part of the file that no record uses. */
void pomp_arena_trim(void);

#endif
