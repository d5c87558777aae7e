/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "archive.h"

#include <stdbool.h>
#include <string.h>

/* As pomp_clang/otf2/layout.py has them. */
enum { END_OF_FILE = 2, TIMESTAMP = 5, ATTRIBUTES = 6, FIRST_EVENT = 10 };
enum { HEAD = 18, BIG = 0x23, UNDEFINED = 0xff, TIME = 8, OFTEN = 3 };

/* The bytes of a chunk that are being read, and the position. */
struct cursor {
  const uint8_t *bytes;
  uint64_t at, end;
  bool is_big;
};

static uint64_t integer(const struct cursor *c, uint64_t at, unsigned size) {
  uint64_t value = 0;
  for (unsigned i = 0; i < size; i++)
    value = value << 8 | c->bytes[c->is_big ? at + i : at + size - 1 - i];
  return value;
}

/* Sets where the bytes of a record begin and end; false if that is behind the chunk's end. */
static bool bounds(const struct cursor *c, bool is_plain, uint64_t *begin, uint64_t *stop) {
  if (c->end - c->at < 2)
    return false;
  uint64_t size = c->bytes[c->at + 1];
  *begin = is_plain ? c->at + 1 : c->at + 2;
  *stop = c->at + 2 + size;
  if (size == UNDEFINED && is_plain)
    *stop = c->at + 2;
  else if (size == UNDEFINED) {
    *begin = c->at + 2 + TIME;
    if (c->end < *begin)
      return false;
    size = integer(c, c->at + 2, TIME);
    *stop = *begin + (size < c->end ? size : c->end);
  }
  return *stop < c->end;
}

/* -1 is undefined. */
static bool take(const struct cursor *c, uint64_t *at, uint64_t stop, int64_t *value) {
  unsigned size = *at < stop ? c->bytes[*at] : UNDEFINED + 1;
  if (size > TIME && size != UNDEFINED)
    return false;
  *value = size == UNDEFINED ? -1 : 0;
  size = size == UNDEFINED ? 0 : size;
  if (*at + 1 + size > stop)
    return false;
  if (size)
    *value = (int64_t)integer(c, *at + 1, size);
  *at += 1 + size;
  return true;
}

static bool take_event(struct pomp_unpacking *to, const struct cursor *c, unsigned type,
                       uint64_t begin, uint64_t stop, int64_t time) {
  uint64_t row = to->events.count;
  int64_t *const columns[] = {to->first, to->second, to->third, to->fourth, to->fifth, to->sixth};
  unsigned fields = to->fields[type], byte = to->byte[type];
  begin += to->has_model[type];
  for (unsigned i = fields; i < OFTEN; i++)
    columns[i][row] = 0;
  for (unsigned i = 0; i < fields; i++)
    if (i == byte && begin < stop)
      columns[i][row] = c->bytes[begin++];
    else if (i == byte || !take(c, &begin, stop, &columns[i][row]))
      return false;
  to->time[row] = time;
  to->type[row] = (uint8_t)type;
  to->events.count++;
  return begin <= stop;
}

int pomp_unpack(struct pomp_unpacking *to, const uint8_t *bytes, uint64_t size) {
  struct cursor c = {bytes, HEAD, size, size > 1 && bytes[1] == BIG};
  int64_t time = 0;
  bool has_time = false;
  for (unsigned type; to->wrong = c.at, c.at < size && (type = bytes[c.at]) > END_OF_FILE;) {
    uint64_t begin, stop;
    if (type == TIMESTAMP) {
      if (size - c.at <= 1 + TIME)
        return POMP_UNPACK_CUT;
      time = (int64_t)integer(&c, c.at + 1, TIME);
      has_time = true;
      c.at += 1 + TIME;
      continue;
    }
    if (!bounds(&c, to->is_plain[type], &begin, &stop))
      return POMP_UNPACK_CUT;
    if (type < FIRST_EVENT && type != ATTRIBUTES)
      return POMP_UNPACK_RECORD;
    if (type >= FIRST_EVENT && !has_time)
      return POMP_UNPACK_NO_TIME;
    if ((to->fields[type] || to->has_model[type]) && to->events.count < to->events.room &&
        !take_event(to, &c, type, begin, stop, time))
      return POMP_UNPACK_FIELDS;
    c.at = stop;
  }
  return c.at < size ? POMP_UNPACK_FINE : POMP_UNPACK_CUT;
}
