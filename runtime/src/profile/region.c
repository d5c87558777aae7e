/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/region.h"

#include "location/arena.h"
#include "state.h"
#include "system/init_lock.h"

#include <stddef.h>
#include <string.h>

/* A function of libomptarget: every program with a device image calls it. */
void __tgt_register_lib(void) __attribute__((weak));

enum { OF_FILE = 2, OF_FUNCTION = 4, STRINGS = 6, LONGEST_STRING = 65535 };

/* The descriptor as its record will have it. */
struct place {
  struct pomp_region_record fixed;
  const char *strings[STRINGS];
  uint64_t hash;
};

static struct pomp_region_record **records; /* by id */
static uint32_t record_count, record_room;
static uint32_t *table; /* of ids; 0: free */
static uint32_t table_size;

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length) {
  const unsigned char *b = bytes;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ b[i]) * UINT64_C(0x100000001b3);
  return hash;
}

static size_t fixed_start(void) { return offsetof(struct pomp_region_record, flags); }
static size_t fixed_length(void) { return sizeof(struct pomp_region_record) - fixed_start(); }

static const uint32_t *lengths(const struct pomp_region_record *r) { return &r->name_length; }

static void set_string(struct place *p, int i, uint32_t *length, const char *string) {
  p->strings[i] = string ? string : "";
  *length = (uint32_t)strnlen(p->strings[i], LONGEST_STRING);
}

#define HAS(d, member) ((d)->size >= offsetof(OMPRegDescr, member) + sizeof(d)->member)

static void describe(struct place *p, const OMPRegDescr *d) {
  struct pomp_region_record *f = &p->fixed;
  memset(p, 0, sizeof *p);
  f->flags = HAS(d, flags) ? d->flags : 0;
  f->num_sections = d->num_sections;
  f->begin_line1 = d->begin_line1;
  f->begin_lineN = d->begin_lineN;
  f->end_line1 = d->end_line1;
  f->end_lineN = d->end_lineN;
  f->begin_column = HAS(d, begin_column) ? d->begin_column : 0;
  set_string(p, 0, &f->name_length, d->name);
  set_string(p, 1, &f->sub_name_length, d->sub_name);
  set_string(p, OF_FILE, &f->file_length, d->file_name);
  set_string(p, 3, &f->clauses_length, HAS(d, clauses) ? d->clauses : NULL);
  set_string(p, OF_FUNCTION, &f->function_length, HAS(d, function) ? d->function : NULL);
  set_string(p, 5, &f->included_from_length, HAS(d, included_from) ? d->included_from : NULL);
  p->hash = hash_bytes(UINT64_C(0xcbf29ce484222325), (char *)f + fixed_start(), fixed_length());
  for (int i = 0; i < STRINGS; i++)
    p->hash = hash_bytes(p->hash, p->strings[i], lengths(f)[i]);
}

static bool is_same(const struct pomp_region_record *r, const struct place *p) {
  const char *text = (const char *)(r + 1);
  if (memcmp((const char *)r + fixed_start(), (const char *)&p->fixed + fixed_start(),
             fixed_length()) != 0)
    return false;
  for (int i = 0; i < STRINGS; text += lengths(r)[i++])
    if (memcmp(text, p->strings[i], lengths(r)[i]) != 0)
      return false;
  return true;
}

/* The entry that has the place, or the free one where it belongs. */
static uint32_t *look_up(const struct place *p) {
  uint32_t i = (uint32_t)p->hash & (table_size - 1);
  while (table[i] && !is_same(records[table[i]], p))
    i = (i + 1) & (table_size - 1);
  return &table[i];
}

static uint64_t hash_record(const struct pomp_region_record *r) {
  uint64_t hash =
      hash_bytes(UINT64_C(0xcbf29ce484222325), (const char *)r + fixed_start(), fixed_length());
  const char *text = (const char *)(r + 1);
  for (int i = 0; i < STRINGS; text += lengths(r)[i++])
    hash = hash_bytes(hash, text, lengths(r)[i]);
  return hash;
}

static void fill_table(void) {
  for (uint32_t id = 1; id <= record_count; id++) {
    uint32_t i = (uint32_t)hash_record(records[id]) & (table_size - 1);
    while (table[i])
      i = (i + 1) & (table_size - 1);
    table[i] = id;
  }
}

static bool make_room(void) {
  if (record_count + 1 < record_room)
    return true;
  uint32_t room = record_room ? record_room * 2 : 128;
  struct pomp_region_record **larger = pomp_private(room * sizeof(*larger));
  uint32_t *larger_table = pomp_private(2 * room * sizeof *larger_table);
  if (!larger || !larger_table)
    return false;
  if (record_room)
    memcpy(larger, records, record_room * sizeof(*larger));
  records = larger;
  record_room = room;
  table = larger_table;
  table_size = 2 * room;
  fill_table();
  return true;
}

static uint32_t add(const struct place *p) {
  size_t size = sizeof p->fixed;
  for (int i = 0; i < STRINGS; i++)
    size += lengths(&p->fixed)[i];
  struct pomp_region_record *r = pomp_arena_record(size);
  if (!r)
    return 0;
  struct pomp_record head = r->head;
  *r = p->fixed;
  r->head = head;
  r->id = ++record_count;
  char *text = (char *)(r + 1);
  for (int i = 0; i < STRINGS; text += lengths(r)[i++])
    memcpy(text, p->strings[i], lengths(r)[i]);
  records[r->id] = r;
  pomp_arena_publish(r, POMP_RECORD_REGION);
  return r->id;
}

static bool is_target(const OMPRegDescr *d) {
  static const char word[] = "target";
  return d->name && !strncmp(d->name, word, sizeof word - 1);
}

static void want_target(void) {
  static const char library[] = "libomptarget";
  pomp_target_wanted = true;
  pomp_process_calls.before_devices();
  pomp_arena_text("offload", library, sizeof library - 1);
}

/* Descriptors of the same place, from several units, have one region. */
static uint32_t give_region(OMPRegDescr *d) {
  static struct place p; /* not on the stack: see clock.c */
  if (d->data)
    return (uint32_t)(uintptr_t)d->data;
  describe(&p, d);
  if (p.fixed.flags & POMP_OMPT)
    pomp_ompt_wanted = true;
  if (!pomp_target_wanted && __tgt_register_lib && is_target(d))
    want_target();
  if (!make_room())
    return 0;
  uint32_t *entry = look_up(&p);
  if (!*entry)
    *entry = add(&p);
  __atomic_store_n(&d->data, (void *)(uintptr_t)*entry, __ATOMIC_RELAXED);
  return *entry;
}

uint32_t pomp_region_meet(OMPRegDescr *d) {
  uint32_t id = 0;
  if (d && pomp_init_lock()) {
    id = give_region(d);
    pomp_init_unlock();
  }
  if (!id)
    __atomic_fetch_add(&pomp_header->lost, 1, __ATOMIC_RELAXED);
  return id;
}

static const char *string_of(const struct pomp_region_record *r, int which) {
  const char *text = (const char *)(r + 1);
  for (int i = 0; i < which; i++)
    text += lengths(r)[i];
  return text;
}

static bool agree_in(const struct pomp_region_record *a, const struct pomp_region_record *b,
                     int which) {
  uint32_t length = lengths(a)[which];
  return length && length == lengths(b)[which] &&
         !memcmp(string_of(a, which), string_of(b, which), length);
}

static int32_t last_line(const struct pomp_region_record *r) {
  return r->end_lineN > r->begin_lineN ? r->end_lineN : r->begin_lineN;
}

bool pomp_region_is_beside(uint32_t region, uint32_t other) {
  const struct pomp_region_record *r = records[region], *o = records[other];
  bool is_within = o->begin_line1 <= r->begin_line1 && last_line(r) <= last_line(o);
  return !is_within && agree_in(r, o, OF_FUNCTION) && agree_in(r, o, OF_FILE);
}

bool pomp_region_is_taskloop(uint32_t region) {
  static const char word[] = "taskloop";
  if (!pomp_init_lock())
    return false;
  const struct pomp_region_record *r = records[region];
  bool is = memmem(string_of(r, 0), r->name_length, word, sizeof word - 1) != NULL;
  pomp_init_unlock();
  return is;
}

void pomp_regions_register(OMPRegDescr *const *begin, OMPRegDescr *const *end) {
  if (!pomp_init_lock())
    return;
  for (OMPRegDescr *const *d = begin; d < end; d++)
    if (*d)
      give_region(*d);
  pomp_init_unlock();
}
