/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The program's files in memory, by which addresses of a trace lead to source lines. */
#include "mpi/modules.h"

#include "location/arena.h"
#include "system/syscalls.h"

#include <inttypes.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define PROGRAM "/proc/self/exe"

struct listing {
  int count;
};

static void describe_module(int number, const struct dl_phdr_info *module, const char *path,
                            const struct stat *file) {
  char key[32], text[PATH_MAX + 128];
  uintptr_t begin = UINTPTR_MAX, end = 0;
  for (int i = 0; i < module->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &module->dlpi_phdr[i];
    uintptr_t from = module->dlpi_addr + part->p_vaddr;
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X))
      continue;
    begin = from < begin ? from : begin;
    end = from + part->p_memsz > end ? from + part->p_memsz : end;
  }
  snprintf(key, sizeof key, "module_%d", number);
  snprintf(text, sizeof text, "%" PRIuPTR " %" PRIuPTR " %" PRIuPTR " %lld %lld %s",
           (uintptr_t)module->dlpi_addr, begin, end, (long long)file->st_size,
           (long long)file->st_mtime, path);
  pomp_arena_text(key, text, strlen(text));
}

static int add(struct dl_phdr_info *module, size_t size, void *data) {
  struct listing *listing = data;
  char path[PATH_MAX] = "";
  struct stat file;
  (void)size;
  if (*module->dlpi_name)
    snprintf(path, sizeof path, "%s", module->dlpi_name);
  else if (!listing->count) { /* the program itself comes first */
    ssize_t length = sys_readlink(PROGRAM, path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
  }
  if (*path == '/' && !stat(path, &file))
    describe_module(listing->count++, module, path, &file);
  return 0;
}

void pomp_modules_describe(void) {
  struct listing listing = {0};
  dl_iterate_phdr(add, &listing);
}
