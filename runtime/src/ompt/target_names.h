/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The names of variables that the compiler hands to libomptarget, if it writes debug information.
 */
#ifndef POMP_TARGET_NAMES_H
#define POMP_TARGET_NAMES_H

#include <stddef.h>
#include <stdint.h>

/* The maps of a call of libomptarget. */
struct pomp_target_maps {
  uint32_t count;
  void *const *begins;
  const int64_t *sizes;
  char *const *names; /* ";variable;file;line;column;;"; NULL: none */
};

/* The calling thread's call has these maps from here on; returns those before.  NULL: none. */
const struct pomp_target_maps *pomp_target_set_maps(const struct pomp_target_maps *maps);

/* Writes the name of the variable at an address; "" if it is not known. */
void pomp_target_name_of(uint64_t address, char *name, size_t size);

#endif
