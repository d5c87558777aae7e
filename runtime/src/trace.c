/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "trace.h"

#include "arena.h"
#include "extend.h"
#include "process.h"
#include "say.h"
#include "settings.h"
#include "slow.h"
#include "syscalls.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define BLOCK ((uint64_t)POMP_TRACE_BLOCK)
#define WINDOW (8 * BLOCK) /* a huge page, where there are such */
#define MIB ((uint64_t)1 << 20)

/* Of a word and its values, beyond a block's end. */
enum { MARGIN = 1 + POMP_TRACE_MOST_VALUES };

/* Blocks of a trace that is kept in memory, in their order. */
struct window {
  struct window *before;
  char *memory;
};

/* `block` is the one that is filled: the file's first, mapped, whose place in the order a copy
 * at the file's end takes when it is full. */
struct pomp_trace_file {
  char *block;
  uint64_t blocks; /* begun */
  struct pomp_extent extent;
  struct window *windows; /* the newest; of a trace in memory */
  bool full;
  bool busy; /* a signal handler's events find it so */
};

bool pomp_traces;

static char folder[PATH_MAX];
static bool in_memory;
static _Atomic bool said;
static uint64_t limit;         /* bytes */
static _Atomic uint64_t taken; /* bytes, by all locations */

static bool name_file(char *path, size_t size, const char *directory, uint32_t location) {
  int length = snprintf(path, size, "%s/" POMP_TRACE_FILE, directory, location);
  errno = ENAMETOOLONG;
  return length > 0 && (size_t)length < size;
}

static int create(const char *path) {
  return sys_open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
}

static char *map_first(struct pomp_trace_file *file, uint32_t location) {
  char path[PATH_MAX];
  int fd = name_file(path, sizeof path, folder, location) ? create(path) : -1;
  if (fd < 0)
    return NULL;
  char *memory =
      pomp_extent_note(fd, &file->extent) ? pomp_extend(fd, 0, BLOCK, MAP_POPULATE) : NULL;
  int error = errno;
  sys_close(fd);
  errno = error;
  return memory;
}

/* Had at once here, and not page by page by the events.  A kernel that does not know how leaves it
 * to them. */
static void have_ready(char *memory, uint64_t size) {
#ifdef MADV_POPULATE_WRITE
  int error = errno;
  (void)madvise(memory, size, MADV_POPULATE_WRITE);
  errno = error;
#else
  (void)memory, (void)size;
#endif
}

/* Aligned to its size. */
static char *map_window(void) {
  char *memory = mmap(NULL, 2 * WINDOW, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return NULL;
  uint64_t before = -(uintptr_t)memory & (WINDOW - 1);
  if (before)
    munmap(memory, before);
  munmap(memory + before + WINDOW, WINDOW - before);
  return memory + before;
}

/* Few threads record more than the first one has room for: that has the pages of its blocks, the
 * others are whole. */
static char *add_window(struct pomp_trace_file *file) {
  char *memory = map_window();
  struct window *w = memory ? pomp_private(sizeof *w) : NULL;
  if (!w)
    return NULL;
  *w = (struct window){file->windows, memory};
  if (file->windows) {
    (void)madvise(memory, WINDOW, MADV_HUGEPAGE);
    have_ready(memory, WINDOW);
  } else {
    have_ready(memory, BLOCK);
  }
  file->windows = w;
  return memory;
}

static bool open_file(struct pomp_thread *t) {
  struct pomp_trace_file *file = NULL;
  if (!pomp_slow_begin())
    return false;
  if (!t->trace.file)
    t->trace.file = pomp_private(sizeof *file);
  file = t->trace.file;
  if (file)
    file->block = in_memory ? add_window(file) : map_first(file, t->location->id);
  pomp_slow_end();
  return file && file->block;
}

/* At the file's end, and nothing of it where there is no room for all. */
static bool append(const struct pomp_trace_file *file, uint32_t location) {
  char path[PATH_MAX];
  int fd =
      name_file(path, sizeof path, folder, location) ? pomp_extent_open(path, &file->extent) : -1;
  if (fd < 0)
    return false;
  bool appended = pomp_extent_append(fd, file->blocks * BLOCK, file->block, BLOCK);
  int error = errno;
  sys_close(fd);
  errno = error;
  return appended;
}

/* Room for another block where the last one was, or behind it. */
static bool make_room(struct pomp_thread *t) {
  struct pomp_trace_file *file = t->trace.file;
  if (!file || !file->block)
    return open_file(t);
  if (!in_memory) {
    if (!append(file, t->location->id))
      return false;
    memset(file->block, 0, BLOCK);
    return true;
  }
  if (file->blocks % (WINDOW / BLOCK)) {
    file->block += BLOCK;
    if (!file->windows->before)
      have_ready(file->block, BLOCK);
    return true;
  }
  char *memory = NULL;
  if (pomp_slow_begin()) {
    memory = add_window(file);
    pomp_slow_end();
  }
  file->block = memory ? memory : file->block;
  return memory;
}

static bool enlarge(struct pomp_thread *t) {
  bool fits = atomic_fetch_add(&taken, BLOCK) + BLOCK <= limit;
  if (fits && make_room(t))
    return true;
  atomic_fetch_sub(&taken, BLOCK);
  if (atomic_exchange(&said, true))
    return false;
  if (fits)
    pomp_say("cannot enlarge the trace in %s: %s; what follows is not recorded", folder,
             strerror(errno));
  else
    pomp_say("the trace has reached POMP_TRACE_LIMIT=%llu (MiB), what follows is not recorded",
             (unsigned long long)(limit / MIB));
  return false;
}

static void begin_block(struct pomp_thread *t, uint64_t now) {
  struct pomp_trace_file *file = t->trace.file;
  struct pomp_trace_block *b = (struct pomp_trace_block *)file->block;
  b->byte_order = POMP_FILE_BYTE_ORDER;
  b->version = POMP_TRACE_VERSION;
  b->size = POMP_TRACE_BLOCK;
  b->location = t->location->id;
  b->number = file->blocks++;
  b->base = now - POMP_TRACE_SLACK;
  b->pid = pomp_header->pid;
  b->start = pomp_header->start;
  atomic_signal_fence(memory_order_seq_cst);
  memcpy(b->magic, POMP_TRACE_MAGIC, sizeof b->magic);
  t->trace.base = b->base;
  t->trace.next = (uint64_t *)(b + 1);
  t->trace.end = (uint64_t *)(file->block + BLOCK) - MARGIN;
}

/* What is lost is the trace's end: what comes after it would not fit what is there. */
static void lose(struct pomp_thread *t, uint64_t now) {
  if (!t->location->unrecorded++)
    t->location->unrecorded_since = now;
}

uint64_t *pomp_trace_turn(struct pomp_thread *t, uint64_t now) {
  static struct pomp_trace_file none = {.full = true};
  struct pomp_trace_file *file = t->trace.file;
  int error = errno;
  if (!pomp_is_running())
    return NULL;
  if (file && (file->full || file->busy)) {
    lose(t, now);
    return NULL;
  }
  if (file)
    file->busy = true;
  if (enlarge(t)) {
    begin_block(t, now);
  } else {
    t->trace.file = t->trace.file ? t->trace.file : &none;
    t->trace.file->full = true;
    lose(t, now);
  }
  t->trace.file->busy = false;
  errno = error;
  return t->trace.file->full ? NULL : t->trace.next;
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

void pomp_trace_start(const char *directory, const struct pomp_settings *settings) {
  if (!settings->trace)
    return;
  snprintf(folder, sizeof folder, "%s", directory);
  limit = settings->trace_limit * MIB;
  in_memory = settings->trace_at_end;
  pomp_traces = true;
}

/* Reads what another thread may be writing. */
#if __has_attribute(disable_sanitizer_instrumentation)
#define LOOKS_ON __attribute__((noinline, disable_sanitizer_instrumentation))
#else
#define LOOKS_ON __attribute__((noinline, no_sanitize("thread")))
#endif

/* Full blocks, those of the newest window but for the last. */
LOOKS_ON static bool write_windows(int fd, const struct window *w, uint64_t blocks) {
  const uint64_t most = WINDOW / BLOCK;
  uint64_t here = blocks % most ? blocks % most : blocks ? most : 0;
  return !here || (write_windows(fd, w->before, blocks - here) &&
                   pomp_write_all(fd, w->memory, here * BLOCK));
}

LOOKS_ON static bool write_blocks(int fd, const struct pomp_trace_file *file) {
  const struct window *w = file->windows;
  uint64_t full = file->blocks - 1;
  if (w && !(full % (WINDOW / BLOCK)))
    w = w->before;
  return pomp_write_all(fd, file->block, BLOCK) && write_windows(fd, w, full);
}

LOOKS_ON static void write_out(struct pomp_thread *t, const char *directory) {
  char path[PATH_MAX];
  struct pomp_trace_file *file = t->trace.file;
  int fd = name_file(path, sizeof path, directory, t->location->id) ? create(path) : -1;
  if (fd < 0 || !pomp_extent_note(fd, &file->extent) || !write_blocks(fd, file))
    pomp_say("cannot write the trace to %s: %s", directory, strerror(errno));
  if (fd >= 0)
    sys_close(fd);
}

LOOKS_ON static uint64_t filled(const struct pomp_thread *t) {
  const struct pomp_trace_file *file = t->trace.file;
  uint64_t next = (uintptr_t)__atomic_load_n(&t->trace.next, __ATOMIC_RELAXED);
  return file->blocks == 1 ? next - (uintptr_t)file->block : POMP_TRACE_BLOCK;
}

/* Of a file's only block.  A thread that comes late may still be storing what it has met: not
 * beyond a page more. */
static void cut(const struct pomp_thread *t, const char *directory) {
  char path[PATH_MAX];
  const struct pomp_trace_file *file = t->trace.file;
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  uint64_t size = filled(t);
  size = (size + 2 * page - 1) / page * page;
  if (size < BLOCK && name_file(path, sizeof path, directory, t->location->id))
    pomp_extent_cut(path, &file->extent, size);
}

LOOKS_ON void pomp_trace_end(const char *directory) {
  for (struct pomp_thread *t = pomp_threads; t; t = t->next) {
    if (!t->trace.file || !t->trace.file->block)
      continue;
    if (in_memory)
      write_out(t, directory);
    cut(t, directory);
  }
}

static void forget(struct pomp_trace_file *file) {
  if (file->block && !in_memory)
    munmap(file->block, BLOCK);
  for (struct window *w = file->windows; w; w = w->before)
    munmap(w->memory, WINDOW);
  *file = (struct pomp_trace_file){.full = false};
}

void pomp_trace_forget(void) {
  for (struct pomp_thread *t = pomp_threads; t; t = t->next) {
    struct pomp_trace_file *file = t->trace.file;
    if (file)
      forget(file);
    t->trace = (struct pomp_trace){.file = file};
    t->location->unrecorded = t->location->unrecorded_since = 0;
  }
  atomic_store(&taken, 0);
  in_memory = true;
}
