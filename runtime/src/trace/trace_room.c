/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "trace/trace_room.h"

#include "location/thread.h"
#include "system/init_lock.h"
#include "system/message.h"
#include "system/settings.h"
#include "system/syscalls.h"
#include "system/unsanitized.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HUGE_PAGE ((uint64_t)2 << 20)

static char folder[PATH_MAX];
static bool in_memory;
static uint64_t limit;            /* bytes */
static _Atomic uint64_t reserved; /* bytes, by all locations */

void pomp_trace_room_place(const char *directory) {
  snprintf(folder, sizeof folder, "%s", directory);
}

void pomp_trace_room_start(const struct pomp_settings *settings) {
  limit = settings->trace_limit * POMP_MIB;
  in_memory = settings->trace_at_end;
}

bool pomp_trace_room_in_memory(void) { return in_memory; }

const char *pomp_trace_room_directory(void) { return folder; }

uint64_t pomp_trace_room_limit(void) { return limit; }

uint64_t pomp_trace_room_unreserved(void) {
  uint64_t now = atomic_load(&reserved);
  return now < limit ? limit - now : 0;
}

POMP_UNSANITIZED uint64_t pomp_trace_filled(const struct pomp_thread *t) {
  uint64_t next = (uintptr_t)__atomic_load_n(&t->trace.next, __ATOMIC_RELAXED);
  uint64_t size = next - (uintptr_t)t->trace.file->block;
  return size < POMP_TRACE_BLOCK ? size : POMP_TRACE_BLOCK;
}

uint64_t pomp_trace_recorded(const struct pomp_thread *t) {
  uint64_t blocks = atomic_load_explicit(&t->trace.file->blocks, memory_order_relaxed);
  return blocks ? (blocks - 1) * POMP_TRACE_BLOCK + pomp_trace_filled(t) : 0;
}

bool pomp_trace_room_reserve(uint64_t size) {
  if (atomic_fetch_add(&reserved, size) + size <= limit)
    return true;
  atomic_fetch_sub(&reserved, size);
  return false;
}

void pomp_trace_room_release(uint64_t size) { atomic_fetch_sub(&reserved, size); }

struct pomp_trace_file *pomp_trace_file_make(uint32_t location) {
  struct pomp_trace_file *file = pomp_private(sizeof *file);
  if (file)
    file->location = location;
  return file;
}

static bool name_file(char *path, size_t size, const char *directory, uint32_t location) {
  int length = snprintf(path, size, "%s/" POMP_TRACE_FILE, directory, location);
  errno = ENAMETOOLONG;
  return length > 0 && (size_t)length < size;
}

static int create(const char *path, struct pomp_mapped_file *extent) {
  int fd = sys_open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (fd < 0 || pomp_mapped_file_note(fd, extent))
    return fd;
  sys_close(fd);
  return -1;
}

/* Had at once here, and not page by page by the events. */
void pomp_trace_room_have(const struct pomp_trace_room *room, uint64_t size) {
  char *memory = room->memory + room->ready - size;
#ifdef MADV_POPULATE_WRITE
  if (madvise(memory, size, MADV_POPULATE_WRITE) == 0)
    return;
#endif
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  for (uint64_t at = 0; at < size; at += page)
    __atomic_fetch_or((uint64_t *)(memory + at), 0, __ATOMIC_RELAXED);
}

uint64_t pomp_trace_room_grow(struct pomp_trace_room *room, uint64_t about) {
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), left = room->size - room->ready;
  uint64_t more = about < page ? page : (about + page - 1) / page * page;
  more = more < left ? more : left;
  room->ready += more;
  return more;
}

/* The kernel makes pages one by one when they are stored to.  Writing them at once takes a fifth of
 * that time (ext4: 75 and 350 us for a block). */
static bool write_zeros(int fd, uint64_t from, uint64_t size) {
  static char zeros[POMP_TRACE_BLOCK];
  bool written = lseek(fd, (off_t)from, SEEK_SET) >= 0;
  for (uint64_t at = 0; written && at < size; at += POMP_TRACE_BLOCK)
    written = pomp_write_all(fd, zeros, POMP_TRACE_BLOCK);
  return written;
}

static char *map_file(struct pomp_trace_file *file, uint64_t from, uint64_t size) {
  char path[PATH_MAX];
  if (!name_file(path, sizeof path, folder, file->location))
    return NULL;
  int fd = from ? pomp_mapped_file_open(path, &file->extent) : create(path, &file->extent);
  if (fd < 0)
    return NULL;
  char *memory = pomp_mapped_file_grow(fd, from, size, 0);
  bool ready = memory && write_zeros(fd, from, size);
  int error = errno;
  sys_close(fd);
  if (!ready && !from)
    sys_unlink(path);
  if (memory && !ready)
    munmap(memory, size);
  errno = error;
  return ready ? memory : NULL;
}

/* Huge pages where there are such, and room for one. */
static char *map_memory(uint64_t size) {
  uint64_t more = size >= HUGE_PAGE ? HUGE_PAGE : 0;
  char *memory =
      mmap(NULL, size + more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return NULL;
  if (!more)
    return memory;
  uint64_t before = -(uintptr_t)memory & (HUGE_PAGE - 1);
  if (before)
    munmap(memory, before);
  munmap(memory + before + size, more - before);
  (void)madvise(memory + before, size, MADV_HUGEPAGE);
  return memory + before;
}

bool pomp_trace_room_make(struct pomp_trace_file *file, uint64_t size, uint64_t ready,
                          struct pomp_trace_room *room) {
  uint64_t from = atomic_fetch_add(&file->size, size), to = from + size;
  char *memory = in_memory ? map_memory(size) : map_file(file, from, size);
  int error = errno;
  *room = (struct pomp_trace_room){memory, size, from, 0};
  if (memory)
    pomp_trace_room_have(room, pomp_trace_room_grow(room, in_memory ? ready : size));
  else
    atomic_compare_exchange_strong(&file->size, &to, from);
  errno = error;
  return memory;
}

void pomp_trace_room_unmap(struct pomp_trace_room *room) {
  int error = errno;
  munmap(room->memory, room->size);
  errno = error;
}

POMP_UNSANITIZED static char *take_before(char *block) {
  struct pomp_trace_block *b = (struct pomp_trace_block *)block;
  char *before = (char *)(uintptr_t)b->before;
  b->before = POMP_TRACE_UNMARKED;
  return before;
}

POMP_UNSANITIZED void pomp_trace_file_mark(char *newest) {
  ((struct pomp_trace_block *)newest)->before = POMP_TRACE_NEWEST;
}

/* The newest is the last, of which a part is enough: with a 0, by which readers know it whole.  The
 * 0 is not the block's own word, into which a late signal handler may just have stored an event. */
POMP_UNSANITIZED static bool write_blocks(int fd, char *newest, uint64_t filled) {
  for (char *block = take_before(newest), *before; block; block = before) {
    before = take_before(block);
    if (!pomp_write_all(fd, block, POMP_TRACE_BLOCK))
      return false;
  }
  pomp_trace_file_mark(newest);
  static const char none[sizeof(uint64_t)];
  return pomp_write_all(fd, newest, filled) &&
         (filled == POMP_TRACE_BLOCK || pomp_write_all(fd, none, sizeof none));
}

void pomp_trace_file_write(struct pomp_trace_file *file, const char *directory, uint64_t filled) {
  char path[PATH_MAX];
  int fd =
      name_file(path, sizeof path, directory, file->location) ? create(path, &file->extent) : -1;
  if (fd < 0 || !write_blocks(fd, file->block, filled))
    pomp_message("cannot write the trace to %s: %s", directory, strerror(errno));
  if (fd >= 0)
    sys_close(fd);
}

/* A thread that comes late may still be storing what it has met: not beyond a page more. */
void pomp_trace_file_cut(const struct pomp_trace_file *file, uint64_t filled) {
  char path[PATH_MAX];
  const struct pomp_trace_room *room = &file->room;
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  uint64_t in_room = (uint64_t)(file->block - room->memory) + filled;
  in_room = (in_room + 2 * page - 1) / page * page;
  uint64_t end = room->offset + (in_room < room->size ? in_room : room->size);
  end = end < file->used ? file->used : end;
  if (end < atomic_load(&file->size) && name_file(path, sizeof path, folder, file->location))
    pomp_mapped_file_cut(path, &file->extent, end);
}

static void forget_memory(const struct pomp_trace_file *file) {
  if (file->block) {
    char *end = file->room.memory + file->room.size, *next = file->block + POMP_TRACE_BLOCK;
    if (next < end)
      munmap(next, (size_t)(end - next));
  }
  for (char *block = file->block, *before; block; block = before) {
    before = take_before(block);
    munmap(block, POMP_TRACE_BLOCK);
  }
}

void pomp_trace_file_forget(struct pomp_trace_file *file) {
  if (in_memory)
    forget_memory(file);
  else if (file->block)
    munmap(file->room.memory, file->room.size);
  if (file->ahead.there)
    pomp_trace_room_unmap(&file->ahead.room);
  if (file->left.there)
    pomp_trace_room_unmap(&file->left.room);
}

void pomp_trace_room_forget(void) {
  atomic_store(&reserved, 0);
  in_memory = true;
}
