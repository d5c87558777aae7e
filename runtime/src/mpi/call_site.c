/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "mpi/call_site.h"

#include "location/arena.h"
#include "system/init_lock.h"
#include "system/unsanitized.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unwind.h>

#pragma weak dlopen
#pragma weak dlsym

#define UNWINDER "libgcc_s.so.1"

enum { DEPTH = 5, SETS = 128, WAYS = 4, SITES = 1 << 12, DIGITS = 20 };

struct chain {
  uint32_t number; /* 0: none */
  unsigned depth;
  uintptr_t addresses[DEPTH];
};

/* A chain, and where on the stack its addresses were. */
struct seen {
  uintptr_t frame;
  const uintptr_t *slots[DEPTH];
  struct chain chain;
};

/* By hash, in sets: one that takes another's place costs a walk each time that it comes again. */
struct pomp_call_sites {
  struct seen seen[SETS][WAYS];
  unsigned newest[SETS];
};

static _Unwind_Reason_Code (*backtrace)(_Unwind_Trace_Fn, void *);
static uintptr_t (*address_of)(struct _Unwind_Context *);
static uintptr_t (*frame_of)(struct _Unwind_Context *);

static struct chain *chains; /* by hash; with the init lock held */
static uint32_t newest;

void pomp_call_sites_start(void) {
  void *unwinder = dlopen && dlsym && !backtrace ? dlopen(UNWINDER, RTLD_LAZY) : NULL;
  if (!unwinder)
    return;
  *(void **)&address_of = dlsym(unwinder, "_Unwind_GetIP");
  *(void **)&frame_of = dlsym(unwinder, "_Unwind_GetCFA");
  *(void **)&backtrace = dlsym(unwinder, "_Unwind_Backtrace");
}

struct walk {
  struct seen *to;
  uintptr_t site;
};

/* Return addresses stand where the processor's call has put them: on x86-64 right below the frame
 * of the caller.  Where they are not, the walk ends. */
static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *data) {
  struct walk *walk = data;
  struct chain *chain = &walk->to->chain;
  uintptr_t address = address_of(context);
  const uintptr_t *slot = (const uintptr_t *)frame_of(context) - 1;
  if (!chain->depth && address != walk->site)
    return _URC_NO_REASON; /* a function of ours */
  if (chain->depth == DEPTH || *slot != address)
    return _URC_NORMAL_STOP;
  walk->to->slots[chain->depth] = slot;
  chain->addresses[chain->depth++] = address;
  return _URC_NO_REASON;
}

static void find_chain(struct seen *to, uintptr_t site) {
  struct walk walk = {to, site};
#ifdef __x86_64__
  if (backtrace && address_of && frame_of)
    backtrace(step, &walk);
#else
  (void)step;
#endif
  if (!to->chain.depth)
    walk.to->chain.addresses[to->chain.depth++] = site;
}

static bool same(const struct chain *a, const struct chain *b) {
  return a->depth == b->depth && !memcmp(a->addresses, b->addresses, sizeof a->addresses);
}

static uintptr_t hash_of(const uintptr_t *values, unsigned count) {
  uintptr_t hash = 0;
  for (unsigned i = 0; i < count; i++)
    hash = (hash ^ values[i]) * (uintptr_t)0x9e3779b97f4a7c15;
  return hash >> 32;
}

static void describe(const struct chain *chain) {
  char key[32], text[DEPTH * (DIGITS + 1) + 1] = "";
  size_t length = 0;
  for (unsigned i = 0; i < chain->depth; i++)
    length += (size_t)snprintf(text + length, sizeof text - length, "%s%" PRIuPTR, i ? " " : "",
                               chain->addresses[i]);
  snprintf(key, sizeof key, "mpi_site_%" PRIu32, chain->number);
  pomp_arena_text(key, text, length);
}

static void number(struct chain *chain) {
  uintptr_t at = hash_of(chain->addresses, DEPTH);
  if (!pomp_init_lock())
    return;
  if (!chains)
    chains = pomp_private(SITES * sizeof *chains);
  while (chains && chains[at % SITES].number && !same(&chains[at % SITES], chain))
    at++;
  if (chains && !chains[at % SITES].number && newest < SITES / 2) {
    chain->number = ++newest;
    chains[at % SITES] = *chain;
    describe(chain);
  }
  chain->number = chains ? chains[at % SITES].number : 0;
  pomp_init_unlock();
}

/* The same if all its addresses stand where they stood. */
POMP_UNSANITIZED static bool is_there(const struct seen *seen, uintptr_t site, uintptr_t frame) {
  if (seen->frame != frame || seen->chain.addresses[0] != site)
    return false;
  for (unsigned i = 1; i < seen->chain.depth; i++)
    if (*seen->slots[i] != seen->chain.addresses[i])
      return false;
  return true;
}

uint32_t pomp_call_site(struct pomp_call_sites **seen, const void *site, const void *frame) {
  uintptr_t place[] = {(uintptr_t)site, (uintptr_t)frame};
  if (!*seen && pomp_init_lock()) {
    *seen = pomp_private(sizeof **seen);
    pomp_init_unlock();
  }
  if (!*seen || !site)
    return 0;
  uintptr_t set = hash_of(place, 2) % SETS;
  for (unsigned way = 0; way < WAYS; way++)
    if (is_there(&(*seen)->seen[set][way], place[0], place[1]))
      return (*seen)->seen[set][way].chain.number;
  struct seen *known = &(*seen)->seen[set][++(*seen)->newest[set] % WAYS];
  memset(known, 0, sizeof *known);
  known->frame = place[1];
  find_chain(known, place[0]);
  number(&known->chain);
  return known->chain.number;
}
