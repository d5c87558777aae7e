/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompt/target_contents.h"

#include "location/arena.h"
#include "location/service.h"
#include "system/settings.h"

#include <string.h>

#define FACTOR UINT64_C(0x9e3779b97f4a7c15)

/* The lowest bit of a content's stored hash is the direction of the transfer. */
enum { WENT_TO = 0, CAME_FROM = 1 };

bool pomp_target_compares;

static void start(const struct pomp_settings *settings) {
  pomp_target_compares = settings->target_content;
  if (pomp_target_compares)
    pomp_arena_text("target_content", "1", 1);
}

static inline uint64_t mixed(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * FACTOR;
  return hash ^ hash >> 29;
}

/* Four chains side by side, as fast as memory is read. */
static uint64_t hash_of(const unsigned char *data, uint64_t bytes) {
  uint64_t chains[4] = {bytes, ~bytes, FACTOR, ~FACTOR}, words[4];
  for (; bytes >= sizeof words; bytes -= sizeof words, data += sizeof words) {
    memcpy(words, data, sizeof words);
    for (int i = 0; i < 4; i++)
      chains[i] = mixed(chains[i], words[i]);
  }
  memset(words, 0, sizeof words);
  memcpy(words, data, bytes);
  uint64_t hash = bytes;
  for (int i = 0; i < 4; i++)
    hash = mixed(hash, mixed(chains[i], words[i]));
  return mixed(hash, hash >> 32) & ~UINT64_C(1);
}

static void book(const struct pomp_target_transfer *t, enum pomp_target_column first) {
  struct pomp_target_row *rows[] = {t->construct, t->place};
  for (int i = 0; i < 2; i++) {
    if (!rows[i])
      continue;
    pomp_target_add(rows[i], first, 1);
    pomp_target_add(rows[i], first + 1, t->bytes);
    pomp_target_add(rows[i], first + 2, t->ticks);
  }
}

void pomp_target_compare(const struct pomp_target_transfer *t) {
  struct pomp_target_row *known = pomp_target_content(t->construct->device, (uintptr_t)t->host);
  if (!known)
    return;
  uint64_t hash = hash_of(t->host, t->bytes);
  uint64_t before = __atomic_exchange_n(&known->places, hash | (t->is_from ? CAME_FROM : WENT_TO),
                                        __ATOMIC_RELAXED);
  if ((before & ~UINT64_C(1)) != hash)
    return;
  if (t->is_from)
    book(t, POMP_TARGET_SAME_FROM_C);
  else
    book(t, before & CAME_FROM ? POMP_TARGET_ROUND_C : POMP_TARGET_AGAIN_C);
}

const struct pomp_service pomp_target_contents_service = {.start = start};
