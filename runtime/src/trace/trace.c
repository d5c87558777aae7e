/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "trace/trace.h"

#include "location/arena.h"
#include "location/service.h"
#include "system/init_lock.h"
#include "system/message.h"
#include "system/settings.h"
#include "system/syscalls.h"
#include "system/unsanitized.h"
#include "trace/trace_ahead.h"
#include "trace/trace_room.h"

#include <errno.h>
#include <string.h>

/* Room beyond a block's end for a word and its values. */
enum { MARGIN = 1 + POMP_TRACE_MOST_VALUES };

/* In memory, pages for this part of the trace so far are made at once: a trace of any length takes
 * little more than its events. */
enum { SHARE = 8 };

static _Atomic bool reported;

static void report_end(bool fits) {
  if (atomic_exchange(&reported, true))
    return;
  if (fits)
    pomp_message("cannot enlarge the trace in %s: %s; what follows is not recorded",
                 pomp_trace_room_directory(), strerror(errno));
  else
    pomp_message("the trace has reached POMP_TRACE_LIMIT=%llu (MiB), what follows is not recorded",
                 (unsigned long long)(pomp_trace_room_limit() / POMP_MIB));
}

void pomp_trace_report_limit(void) { report_end(false); }

/* In memory it becomes huge pages, of who records much and while the limit is far. */
static bool make_room(const struct pomp_thread *t, struct pomp_trace_room *room) {
  struct pomp_trace_file *file = t->trace.file;
  bool large = pomp_trace_room_in_memory() && pomp_trace_recorded(t) >= 4 * POMP_TRACE_MOST_ROOM &&
               pomp_trace_room_unreserved() / 8 >= POMP_TRACE_MOST_ROOM;
  uint64_t size = large ? POMP_TRACE_MOST_ROOM : POMP_TRACE_BLOCK;
  bool fits = pomp_trace_room_reserve(size);
  if (fits && pomp_trace_room_make(file, size, pomp_trace_recorded(t) / SHARE, room))
    return true;
  if (fits)
    pomp_trace_room_release(size);
  report_end(fits);
  return false;
}

static bool take(struct pomp_trace_handover *from, struct pomp_trace_room *room) {
  if (!atomic_load_explicit(&from->there, memory_order_acquire))
    return false;
  *room = from->room;
  atomic_store_explicit(&from->there, false, memory_order_release);
  return true;
}

/* A file's is given back by who makes room ahead, unless that has not come to it. */
static void leave_room(struct pomp_trace_file *file) {
  uint64_t end = file->room.offset + file->room.size;
  file->used = end < file->used ? file->used : end;
  if (!file->block || pomp_trace_room_in_memory())
    return;
  if (atomic_load_explicit(&file->left.there, memory_order_acquire)) {
    pomp_trace_room_unmap(&file->room);
    return;
  }
  file->left.room = file->room;
  atomic_store_explicit(&file->left.there, true, memory_order_release);
}

/* Returns the memory of the next block; NULL if there is no room. */
static char *next_block(const struct pomp_thread *t) {
  struct pomp_trace_room room;
  struct pomp_trace_file *file = t->trace.file;
  if (file->block && file->block + POMP_TRACE_BLOCK < file->room.memory + file->room.size)
    return file->block + POMP_TRACE_BLOCK;
  if (!take(&file->ahead, &room) && !make_room(t, &room))
    return NULL;
  leave_room(file);
  file->room = room;
  return room.memory;
}

/* Sets `end` to the block's end, or to the end of its pages that are made, beyond the next word.  A
 * signal handler's event sees `end` before the pages are made, which is harmless: the kernel makes
 * them then. */
static void reach(struct pomp_thread *t) {
  struct pomp_trace_room *room = &t->trace.file->room;
  uint64_t more = 0;
  if ((char *)(t->trace.next + MARGIN) >= room->memory + room->ready)
    more = pomp_trace_room_grow(room, pomp_trace_recorded(t) / SHARE);
  char *ready = room->memory + room->ready, *end = t->trace.file->block + POMP_TRACE_BLOCK;
  t->trace.end = (uint64_t *)(ready < end ? ready : end) - MARGIN;
  atomic_signal_fence(memory_order_seq_cst);
  if (more)
    pomp_trace_room_have(room, more);
}

static void begin_block(struct pomp_thread *t, char *memory, uint64_t now) {
  struct pomp_trace_file *file = t->trace.file;
  struct pomp_trace_block *b = (struct pomp_trace_block *)memory;
  uint64_t number = atomic_load_explicit(&file->blocks, memory_order_relaxed);
  b->byte_order = POMP_FILE_BYTE_ORDER;
  b->version = POMP_TRACE_VERSION;
  b->size = POMP_TRACE_BLOCK;
  b->location = t->location->id;
  b->number = number;
  b->base = now - POMP_TRACE_SLACK;
  b->pid = pomp_header->pid;
  b->start = pomp_header->start;
  b->before = pomp_trace_room_in_memory() ? (uintptr_t)file->block : 0;
  atomic_signal_fence(memory_order_seq_cst);
  memcpy(b->magic, POMP_TRACE_MAGIC, sizeof b->magic);
  file->block = memory;
  atomic_store_explicit(&file->blocks, number + 1, memory_order_relaxed);
  t->trace.base = b->base;
  t->trace.next = (uint64_t *)(b + 1);
  reach(t);
}

/* There is more of the block, of which the pages are not had.  A signal handler may come in between
 * and find more, too. */
static bool goes_on(struct pomp_thread *t, uint64_t now) {
  char *block = t->trace.file->block;
  if (t->trace.next >= (uint64_t *)(block + POMP_TRACE_BLOCK) - MARGIN)
    return false;
  reach(t);
  return pomp_trace_fits(t, now);
}

/* A trace loses its end only: later events would not fit the earlier ones. */
static void lose(struct pomp_thread *t, uint64_t now) {
  if (!t->location->unrecorded++)
    t->location->unrecorded_since = now;
}

static uint64_t *turn(struct pomp_thread *t, uint64_t now) {
  char *memory = next_block(t);
  if (memory) {
    begin_block(t, memory, now);
    return t->trace.next;
  }
  t->trace.file->full = true;
  lose(t, now);
  return NULL;
}

/* Returns the location's file, made if necessary.  A signal handler that interrupted the init lock
 * gets none this time. */
static struct pomp_trace_file *file_of(struct pomp_thread *t) {
  static struct pomp_trace_file none = {.full = true};
  if (t->trace.file)
    return t->trace.file;
  if (!pomp_init_lock())
    return &none;
  struct pomp_trace_file *file = pomp_trace_file_make(t->location->id);
  __atomic_store_n(&t->trace.file, file ? file : &none, __ATOMIC_RELEASE);
  pomp_init_unlock();
  return t->trace.file;
}

uint64_t *pomp_trace_turn(struct pomp_thread *t, uint64_t now) {
  int error = errno;
  uint64_t *next = NULL;
  if (!pomp_is_running())
    return NULL;
  struct pomp_trace_file *file = file_of(t);
  if (!file->busy && file->block && goes_on(t, now)) {
    next = t->trace.next;
  } else if (file->full || file->busy) {
    lose(t, now);
  } else {
    atomic_store(&file->busy, true);
    if (pomp_is_running())
      next = turn(t, now);
    atomic_store(&file->busy, false);
  }
  errno = error;
  return next;
}

static void store_value(uint64_t *at, uint64_t value) {
  __atomic_store_n(at, value << 8 | POMP_TRACE_VALUE, __ATOMIC_RELAXED);
}

void pomp_trace_put_values(struct pomp_thread *t, unsigned op, uint32_t path, uint64_t now,
                           const uint64_t *values, unsigned count) {
  uint64_t *at = pomp_trace_next(t, now);
  if (!at)
    return;
  t->trace.next = at + 1 + count;
  for (unsigned i = 0; i < count; i++)
    store_value(at + 1 + i, values[i]);
  atomic_signal_fence(memory_order_seq_cst);
  pomp_trace_store(t, at, op, path, now);
}

void pomp_trace_put_value(struct pomp_thread *t, unsigned op, uint32_t path, uint64_t now,
                          uint64_t value) {
  uint64_t *at = pomp_trace_next(t, now);
  if (!at)
    return;
  t->trace.next = at + 2;
  store_value(at + 1, value);
  atomic_signal_fence(memory_order_seq_cst);
  pomp_trace_store(t, at, op, path, now);
}

void pomp_trace_put_on(struct pomp_thread *t, unsigned op, uint32_t path, uint64_t now) {
  uint64_t *at = pomp_trace_turn(t, now);
  if (!at)
    return;
  t->trace.next = at + 1;
  pomp_trace_store(t, at, op, path, now);
}

static void start(const struct pomp_settings *settings) {
  if (!settings->trace)
    return;
  pomp_trace_room_start(settings);
  pomp_traces = true;
  pomp_trace_ahead_start();
}

/* A thread that was switching blocks when the process began to end finishes within milliseconds.
 * If it does not, this end has interrupted it, and its file is left alone. */
static bool settles(const struct pomp_trace_file *file) {
  for (int i = 0; i < 200 && file->busy; i++)
    sys_nap(50000);
  return !file->busy;
}

POMP_UNSANITIZED static void end(const char *directory) {
  pomp_trace_ahead_stop();
  for (struct pomp_thread *t = pomp_threads; t; t = t->next) {
    struct pomp_trace_file *file = t->trace.file;
    bool settled = file && settles(file);
    if (!file || !file->block)
      continue;
    if (pomp_trace_room_in_memory()) {
      pomp_trace_file_write(file, directory, pomp_trace_filled(t));
      continue;
    }
    pomp_trace_file_mark(file->block);
    if (settled)
      pomp_trace_file_cut(file, pomp_trace_filled(t));
  }
}

static void forget(void) {
  pomp_trace_ahead_forget();
  for (struct pomp_thread *t = pomp_threads; t; t = t->next) {
    struct pomp_trace_file *file = t->trace.file;
    if (file && file->block)
      pomp_trace_file_forget(file);
    t->trace = (struct pomp_trace){.file = NULL};
    t->location->unrecorded = t->location->unrecorded_since = 0;
  }
  pomp_trace_room_forget();
}

static void leave(struct pomp_thread *t, uint64_t now) {
  if (pomp_traces)
    pomp_trace_put(t, POMP_TRACE_ENDS, 0, now);
}

const struct pomp_service pomp_trace_service = {
    .start = start, .leave = leave, .forget = forget, .end = end};
