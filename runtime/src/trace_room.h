/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where the blocks of a location's trace are: mapped from its file, or in memory. */
#ifndef POMP_TRACE_ROOM_H
#define POMP_TRACE_ROOM_H

#include "extend.h"
#include "trace_format.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct pomp_settings;

#define POMP_MIB ((uint64_t)1 << 20)

#define POMP_TRACE_MOST_ROOM (8 * POMP_TRACE_BLOCK) /* a huge page, where there are such */

/* Blocks that follow each other, from this offset of the file on. */
struct pomp_trace_room {
  char *memory;
  uint64_t size;
  uint64_t offset;
  uint64_t ready; /* bytes whose pages are had */
};

/* Given from one thread to another: who makes it true is done with it, who makes it false has it.
 */
struct pomp_trace_handover {
  struct pomp_trace_room room;
  _Atomic bool there;
};

/* Of the location's thread, but for what is atomic. */
struct pomp_trace_file {
  struct pomp_extent extent;
  uint32_t location;
  char *block; /* that is filled */
  _Atomic uint64_t blocks;
  struct pomp_trace_room room;      /* that the block is in */
  uint64_t used;                    /* the end of the rooms before, in the file */
  _Atomic uint64_t size;            /* of the file, with room that is being made */
  struct pomp_trace_handover ahead; /* from the thread that makes room ahead */
  struct pomp_trace_handover left;  /* to it: a file's room that is full */
  bool full;
  _Atomic bool busy; /* a signal handler's events find it so, and the process's end */
};

/* In files, or in memory; both within the limit of all locations. */
void pomp_trace_room_start(const struct pomp_settings *settings);

/* The files' directory; before there is any of them. */
void pomp_trace_room_place(const char *directory);
bool pomp_trace_room_in_memory(void);
const char *pomp_trace_room_directory(void);
uint64_t pomp_trace_room_limit(void); /* bytes */

/* What the limit leaves. */
uint64_t pomp_trace_room_unreserved(void);

/* Of the limit: false when there is not so much left. */
bool pomp_trace_room_reserve(uint64_t size);
void pomp_trace_room_release(uint64_t size);

/* A new location's, or NULL.  Within pomp_slow_begin and _end. */
struct pomp_trace_file *pomp_trace_file_make(uint32_t location);

/* So much that was reserved: false, and errno.  By any thread.  Of memory the pages of the first
 * `ready` bytes are had, one at least, of a file all. */
bool pomp_trace_room_make(struct pomp_trace_file *file, uint64_t size, uint64_t ready,
                          struct pomp_trace_room *room);

/* About so many bytes more count as had: in whole pages, one at least, as far as the room goes.
 * Returns how many; pomp_trace_room_have has them. */
uint64_t pomp_trace_room_grow(struct pomp_trace_room *room, uint64_t about);

/* The last `size` bytes that count as had.  What stands there stays. */
void pomp_trace_room_have(const struct pomp_trace_room *room, uint64_t size);

/* A file keeps what was written to it. */
void pomp_trace_room_unmap(struct pomp_trace_room *room);

/* Out of memory, up to this many bytes of the block that is filled. */
void pomp_trace_file_write(struct pomp_trace_file *file, const char *directory, uint64_t filled);

/* The program has ended, with this block. */
void pomp_trace_file_mark(char *newest);

/* Cuts off the room that was not used. */
void pomp_trace_file_cut(const struct pomp_trace_file *file, uint64_t filled);

/* In a forked child: what the parent's was; the child's own is kept in memory. */
void pomp_trace_file_forget(struct pomp_trace_file *file);
void pomp_trace_room_forget(void);

#endif
