/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompt/target_names.h"

#include "ompt/target_thread.h"

#include <string.h>

const struct pomp_target_maps *pomp_target_set_maps(const struct pomp_target_maps *maps) {
  struct pomp_target_thread *t = pomp_target_thread_made();
  const struct pomp_target_maps *before = t ? t->maps : NULL;
  if (t)
    t->maps = maps;
  return before;
}

/* The map that begins at the address, or else one that has it; -1 if there is none. */
static int64_t find_map(const struct pomp_target_maps *m, uint64_t address) {
  int64_t around = -1;
  for (uint32_t i = 0; i < m->count; i++) {
    uint64_t begin = (uintptr_t)m->begins[i];
    if (begin == address)
      return i;
    if (begin < address && address - begin < (uint64_t)m->sizes[i])
      around = i;
  }
  return around;
}

void pomp_target_name_of(uint64_t address, char *name, size_t size) {
  static const char unknown[] = "unknown;";
  const struct pomp_target_thread *t = pomp_target_thread();
  const struct pomp_target_maps *m = t ? t->maps : NULL;
  int64_t i = m && m->names ? find_map(m, address) : -1;
  const char *text = i < 0 ? NULL : m->names[i];
  name[0] = '\0';
  if (!text || text[0] != ';' || !strncmp(text + 1, unknown, sizeof unknown - 1))
    return;
  size_t length = strcspn(text + 1, ";");
  length = length < size ? length : size - 1;
  memcpy(name, text + 1, length);
  name[length] = '\0';
}
