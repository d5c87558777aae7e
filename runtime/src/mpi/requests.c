/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* MPI operations under way, by the handle of their request.  Any thread may begin one and any
 * other complete it: a slot belongs to who changes its key to HELD. */
#include "mpi/mpi.h"
#include "system/init_lock.h"

#include <stdatomic.h>
#include <stddef.h>

enum { FREE = 0, HELD = 1, SLOTS = 7, BUCKETS = 1024 };

struct bucket {
  struct pomp_mpi_request slots[SLOTS];
  struct bucket *_Atomic next;
};

static struct bucket *_Atomic buckets;

static struct bucket *bucket_of(uint64_t key) {
  struct bucket *all = atomic_load_explicit(&buckets, memory_order_acquire);
  return all ? &all[(key * UINT64_C(0x9e3779b97f4a7c15)) >> 54] : NULL;
}

/* Only ever added to: whoever comes first. */
static struct bucket *make(struct bucket *_Atomic *place, size_t count) {
  struct bucket *made = NULL;
  if (!pomp_init_lock())
    return NULL;
  made = atomic_load_explicit(place, memory_order_acquire);
  if (!made && (made = pomp_private(count * sizeof *made)))
    atomic_store_explicit(place, made, memory_order_release);
  pomp_init_unlock();
  return made;
}

static struct bucket *next_of(struct bucket *b) {
  return atomic_load_explicit(&b->next, memory_order_acquire);
}

static bool take(struct pomp_mpi_request *r, uint64_t key) {
  return atomic_load_explicit(&r->key, memory_order_relaxed) == key &&
         atomic_compare_exchange_strong_explicit(&r->key, &key, HELD, memory_order_acquire,
                                                 memory_order_relaxed);
}

static struct pomp_mpi_request *take_any(struct bucket *b, uint64_t key) {
  for (; b; b = next_of(b))
    for (int i = 0; i < SLOTS; i++)
      if (take(&b->slots[i], key))
        return &b->slots[i];
  return NULL;
}

static struct pomp_mpi_request *take_free(struct bucket *b) {
  while (b) {
    struct pomp_mpi_request *r = take_any(b, FREE);
    if (r)
      return r;
    while (next_of(b))
      b = next_of(b);
    b = make(&b->next, 1);
  }
  return NULL;
}

static bool is_there(struct bucket *b, uint64_t key) {
  for (; b; b = next_of(b))
    for (int i = 0; i < SLOTS; i++)
      if (atomic_load_explicit(&b->slots[i].key, memory_order_relaxed) == key)
        return true;
  return false;
}

struct pomp_mpi_request *pomp_mpi_pend(uint64_t key, const struct pomp_mpi_volume *volume,
                                       bool persistent) {
  if (!atomic_load_explicit(&buckets, memory_order_acquire) && !make(&buckets, BUCKETS))
    return NULL;
  struct bucket *b = bucket_of(key);
  struct pomp_mpi_request *r = is_there(b, key) ? NULL : take_free(b);
  if (!r)
    return NULL;
  r->volume = *volume;
  r->persistent = persistent;
  r->active = !persistent;
  r->cancelled = false;
  r->made = NULL;
  return r;
}

struct pomp_mpi_request *pomp_mpi_hold(uint64_t key) { return take_any(bucket_of(key), key); }

void pomp_mpi_let_go(struct pomp_mpi_request *request, uint64_t key) {
  atomic_store_explicit(&request->key, key, memory_order_release);
}

void pomp_mpi_drop(struct pomp_mpi_request *request) { pomp_mpi_let_go(request, FREE); }
