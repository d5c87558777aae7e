/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompt/target_names.h"

#include <string.h>

__thread struct pomp_target_maps pomp_target_maps __attribute__((tls_model("initial-exec")));

/* The map that begins at the address, or else one that has it; -1 if there is none. */
static int64_t find_map(uint64_t address) {
  const struct pomp_target_maps *m = &pomp_target_maps;
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
  int64_t i = pomp_target_maps.names ? find_map(address) : -1;
  const char *text = i < 0 ? NULL : pomp_target_maps.names[i];
  name[0] = '\0';
  if (!text || text[0] != ';' || !strncmp(text + 1, unknown, sizeof unknown - 1))
    return;
  size_t length = strcspn(text + 1, ";");
  length = length < size ? length : size - 1;
  memcpy(name, text + 1, length);
  name[length] = '\0';
}
