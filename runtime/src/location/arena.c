/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "location/arena.h"

#include "system/init_lock.h"
#include "system/mapped_file.h"
#include "system/message.h"
#include "system/syscalls.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define FIRST_WINDOW ((uint64_t)1 << 20) /* a multiple of every page size */
#define LARGEST_WINDOW ((uint64_t)1 << 26)
#define MOST_WINDOWS 1024

struct window {
  char *memory;
  uint64_t offset, size;
};

struct pomp_file_header *pomp_header;

static struct window windows[MOST_WINDOWS];
static int window_count;
static uint64_t file_size, used;
static char file_path[PATH_MAX];
static struct pomp_mapped_file extent;
static bool in_memory, full;

static char *map_reopened(uint64_t size) {
  int fd = pomp_mapped_file_open(file_path, &extent);
  if (fd < 0)
    return NULL;
  char *memory = pomp_mapped_file_grow(fd, file_size, size, 0);
  int error = errno;
  sys_close(fd);
  errno = error;
  return memory;
}

static char *map_private(uint64_t size) {
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

static void add_window(char *memory, uint64_t size) {
  windows[window_count++] = (struct window){memory, file_size, size};
  file_size += size;
}

bool pomp_arena_open(void) {
  char *memory = map_private(FIRST_WINDOW);
  if (!memory)
    return false;
  in_memory = true;
  add_window(memory, FIRST_WINDOW);
  pomp_header = (struct pomp_file_header *)memory;
  memcpy(pomp_header->magic, POMP_FILE_MAGIC, sizeof pomp_header->magic);
  pomp_header->byte_order = POMP_FILE_BYTE_ORDER;
  pomp_header->version = POMP_FILE_VERSION;
  pomp_header->header_size = sizeof *pomp_header;
  pomp_header->records_end = used = sizeof *pomp_header;
  return true;
}

static struct pomp_record *append(uint64_t size) {
  struct window *w = &windows[window_count - 1];
  struct pomp_record *record = (struct pomp_record *)(w->memory + (used - w->offset));
  record->size = size;
  used += size;
  __atomic_store_n(&pomp_header->records_end, used, __ATOMIC_RELEASE);
  return record;
}

static uint64_t window_size(uint64_t wanted) {
  uint64_t size = FIRST_WINDOW;
  while (size < LARGEST_WINDOW && size < file_size / 2)
    size *= 2;
  return wanted <= size ? size : (wanted + FIRST_WINDOW - 1) / FIRST_WINDOW * FIRST_WINDOW;
}

static bool grow(uint64_t wanted) {
  uint64_t size = window_size(wanted), rest = file_size - used;
  errno = ENOSPC;
  char *memory = window_count == MOST_WINDOWS ? NULL
                 : in_memory                  ? map_private(size)
                                              : map_reopened(size);
  if (!memory) {
    pomp_message("cannot enlarge %s: %s; what is new from here on is not measured", file_path,
                 strerror(errno));
    full = true;
    return false;
  }
  if (rest)
    append(rest);
  add_window(memory, size);
  return true;
}

void *pomp_arena_record(size_t size) {
  uint64_t wanted = (size + POMP_RECORD_ALIGNMENT - 1) / POMP_RECORD_ALIGNMENT;
  wanted *= POMP_RECORD_ALIGNMENT;
  if (wanted > file_size - used && (full || !grow(wanted)))
    return NULL;
  return append(wanted);
}

void pomp_arena_publish(void *record, enum pomp_record_type type) {
  __atomic_store_n(&((struct pomp_record *)record)->type, type, __ATOMIC_RELEASE);
}

void pomp_arena_text(const char *key, const char *value, size_t length) {
  struct pomp_text_record *r = pomp_arena_record(sizeof *r + strlen(key) + length);
  if (!r)
    return;
  r->key_length = (uint32_t)strlen(key);
  r->value_length = (uint32_t)length;
  memcpy(r + 1, key, r->key_length);
  memcpy((char *)(r + 1) + r->key_length, value, length);
  pomp_arena_publish(r, POMP_RECORD_TEXT);
}

/* Maps `by` in place of the window's memory, with the window's records copied into it. */
static bool replace_window(const struct window *w, char *by) {
  uint64_t filled = used > w->offset ? used - w->offset : 0;
  if (!by)
    return false;
  memcpy(by, w->memory, filled < w->size ? filled : w->size);
  return sys_remap(by, w->size, w->memory);
}

bool pomp_arena_put(int fd, const char *path) {
  if (!pomp_mapped_file_note(fd, &extent))
    return false;
  for (int i = 0; i < window_count; i++)
    if (!replace_window(&windows[i],
                        pomp_mapped_file_grow(fd, windows[i].offset, windows[i].size, 0)))
      return false;
  snprintf(file_path, sizeof file_path, "%s", path);
  in_memory = false;
  return true;
}

bool pomp_arena_detach(void) {
  for (int i = 0; i < window_count && !in_memory; i++)
    if (!replace_window(&windows[i], map_private(windows[i].size)))
      return false;
  in_memory = true;
  return true;
}

bool pomp_arena_write(int fd) {
  for (int i = 0; i < window_count; i++) {
    uint64_t filled = used - windows[i].offset;
    if (!pomp_write_all(fd, windows[i].memory, filled < windows[i].size ? filled : windows[i].size))
      return false;
  }
  return true;
}

void pomp_arena_trim(void) {
  if (in_memory || used >= file_size)
    return;
  full = true;
  file_size = used; /* a thread that comes late must not write beyond the end */
  pomp_mapped_file_cut(file_path, &extent, used);
}
