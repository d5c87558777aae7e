/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The memory of a location's trace: mapped from its file, or anonymous with POMP_TRACE_AT_END=1 and
 * in forked children.
 *
 * Both stay, for no user can do without either.  A mapped trace survives the program's crash, and
 * takes no memory of the process: 14 MiB resident for 153 MiB of trace, against 157 MiB.  A trace
 * in memory needs no disk while the program runs, and a forked child knows only at its exit whether
 * it keeps one.  An event costs the same: both modes share all code but the making, writing and
 * freeing of room. */
#ifndef POMP_TRACE_ROOM_H
#define POMP_TRACE_ROOM_H

#include "system/mapped_file.h"
#include "trace/trace_format.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct pomp_settings;
struct pomp_thread;

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

/* Used by the location's thread, except for the atomic members. */
struct pomp_trace_file {
  struct pomp_mapped_file extent;
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

/* Bytes of the block that the location is filling, and of all that it has recorded.  Asked by
 * another thread, both are approximate. */
uint64_t pomp_trace_filled(const struct pomp_thread *t);
uint64_t pomp_trace_recorded(const struct pomp_thread *t);

/* Bytes that the limit leaves. */
uint64_t pomp_trace_room_unreserved(void);

/* Takes `size` bytes of the limit; false if fewer are left. */
bool pomp_trace_room_reserve(uint64_t size);
void pomp_trace_room_release(uint64_t size);

/* A new location's, or NULL.  The caller holds the init lock. */
struct pomp_trace_file *pomp_trace_file_make(uint32_t location);

/* Makes room of `size` bytes, which were reserved; on failure returns false and sets errno.  Any
 * thread may call it.  In memory it makes the pages of the first `ready` bytes, at least one; in a
 * file all. */
bool pomp_trace_room_make(struct pomp_trace_file *file, uint64_t size, uint64_t ready,
                          struct pomp_trace_room *room);

/* Counts about this many more bytes as ready, in whole pages, at least one, up to the room's end.
 * Returns their number; pomp_trace_room_have makes the pages. */
uint64_t pomp_trace_room_grow(struct pomp_trace_room *room, uint64_t about);

/* Makes the pages of the last `size` bytes that count as ready, and keeps their contents. */
void pomp_trace_room_have(const struct pomp_trace_room *room, uint64_t size);

/* Unmaps the room; a file keeps its contents. */
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
