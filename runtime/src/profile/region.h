/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Regions: the places that descriptors name, numbered from 1. */
#ifndef POMP_REGION_H
#define POMP_REGION_H

#include "export.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The descriptor's region when an event meets it before it was registered; 0
 * when there is none to be had. */
uint32_t pomp_region_meet(OMPRegDescr *d);

/* Gives descriptors their regions before an event meets them. */
void pomp_regions_register(OMPRegDescr *const *begin, OMPRegDescr *const *end);

/* True if both regions are in one function and `region` is not inside `other`: a thread that gets
 * from `other` to `region` has entered the function again.  The caller holds the init lock. */
bool pomp_region_is_beside(uint32_t region, uint32_t other);

/* True if the region is a taskloop, or a construct combined with one. */
bool pomp_region_is_taskloop(uint32_t region);

static inline uint32_t pomp_region(OMPRegDescr *d) {
  void *data = d ? __atomic_load_n(&d->data, __ATOMIC_RELAXED) : NULL;
  return __builtin_expect(data != NULL, 1) ? (uint32_t)(uintptr_t)data : pomp_region_meet(d);
}

static inline bool pomp_has_flag(const OMPRegDescr *d, unsigned flag) {
  return d->size >= offsetof(OMPRegDescr, flags) + sizeof d->flags && d->flags & flag;
}

#endif
