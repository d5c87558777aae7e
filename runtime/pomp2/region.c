/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "region.h"

#include "contract.h"
#include "pomp2.h"

#include <pthread.h>
#include <stdlib.h>

/* Stands in the descriptor's `next`. */
struct pomp2_region {
  int count;
  struct pomp2_handle handles[POMP2_MOST_TYPES];
};

/* Descriptors of an executable or a shared library. */
struct range {
  OMPRegDescr **begin, **end;
  struct range *next;
};

static struct range *ranges;
static bool assigned[2]; /* all regions but the user's, and the user's */
static pthread_mutex_t mutex;
static pthread_once_t made = PTHREAD_ONCE_INIT;

/* A library assigns handles at any time, also at the first event, which may be waiting here. */
static void make_mutex(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

static void lock(void) {
  pthread_once(&made, make_mutex);
  pthread_mutex_lock(&mutex);
}

static void unlock(void) { pthread_mutex_unlock(&mutex); }

static struct pomp2_region none;

static struct pomp2_region *new_region(const OMPRegDescr *d) {
  enum pomp2_type types[POMP2_MOST_TYPES];
  int count = pomp2_types_of(d, types);
  struct pomp2_region *region = count ? calloc(1, sizeof *region) : NULL;
  if (!region)
    return &none;
  region->count = count;
  for (int i = 0; i < count; i++) {
    struct pomp2_handle *handle = &region->handles[i];
    handle->type = types[i];
    handle->contract = pomp2_contract(d, types[i]);
    if (!handle->contract)
      region->count = 0;
  }
  return region;
}

static void assign(struct pomp2_region *region, bool user) {
  for (int i = 0; i < region->count; i++) {
    struct pomp2_handle *handle = &region->handles[i];
    if (handle->library || (handle->type == POMP2_USER) != user)
      continue;
    if (!user)
      POMP2_Assign_handle(&handle->library, handle->contract);
    else if (POMP2_USER_Assign_handle)
      POMP2_USER_Assign_handle(&handle->library, handle->contract);
  }
}

/* Return the descriptor's region, which is made at its first use: a unit's calls may come before
 * its registration. */
static struct pomp2_region *region_of(OMPRegDescr *d) {
  struct pomp2_region *region = __atomic_load_n((void **)&d->next, __ATOMIC_ACQUIRE);
  if (__builtin_expect(region != NULL, 1))
    return region;
  lock();
  region = (void *)d->next;
  if (!region) {
    region = new_region(d);
    __atomic_store_n((void **)&d->next, region, __ATOMIC_RELEASE);
    for (int user = 0; user < 2; user++)
      if (assigned[user])
        assign(region, user);
  }
  unlock();
  return region;
}

struct pomp2_handle *pomp2_handle_of(OMPRegDescr *d, unsigned types) {
  struct pomp2_region *region = region_of(d);
  for (int i = 0; i < region->count; i++)
    if (POMP2_MASK(region->handles[i].type) & types)
      return &region->handles[i];
  return NULL;
}

void POMP_Register(OMPRegDescr **begin, OMPRegDescr **end) {
  lock();
  struct range *known = ranges;
  while (known && known->begin != begin)
    known = known->next;
  struct range *range = known ? NULL : malloc(sizeof *range);
  if (range) {
    *range = (struct range){begin, end, ranges};
    ranges = range;
    for (OMPRegDescr **d = begin; d < end; d++)
      if (*d)
        region_of(*d);
  }
  unlock();
}

void pomp2_assign_handles(bool user) {
  lock();
  assigned[user] = true;
  for (struct range *range = ranges; range; range = range->next)
    for (OMPRegDescr **d = range->begin; d < range->end; d++)
      if (*d)
        assign(region_of(*d), user);
  unlock();
}

/* Called by each unit, where a script of OPARI2 assigns the handles. */
void POMP_Assign_pomp2_handles(void);
__attribute__((visibility("default"))) void POMP_Assign_pomp2_handles(void) {
  pomp2_assign_handles(false);
}

size_t pomp2_count_handles(bool user) {
  size_t count = 0;
  lock();
  for (struct range *range = ranges; range; range = range->next)
    for (OMPRegDescr **d = range->begin; d < range->end; d++) {
      const struct pomp2_region *region = *d ? region_of(*d) : &none;
      for (int i = 0; i < region->count; i++)
        count += (region->handles[i].type == POMP2_USER) == user;
    }
  unlock();
  return count;
}
