/* Orders moments made of what it is given, with just the room that Python allows.  Afterwards each
 * process's moments are in their order, and unless some were forced no sink is before a source. */
#include "ordered.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A process's moments begin with a word of 0: time in the upper bits, then meeting and kind. */
enum { KIND_BITS = 1, MEETING_BITS = 6, MEETINGS = 1 << MEETING_BITS };

/* Bits of a time: the largest distance that moments of MEETINGS processes may have. */
enum { TIME_BITS = 62 - MEETING_BITS };

struct input {
  uint64_t first[MEETINGS + 1], processes, moments;
  int64_t *time;
  uint32_t *meeting;
  uint8_t *is_sink;
};

static void *column(uint64_t rows, size_t size) { return malloc(rows ? rows * size : 1); }

static void read_words(struct input *in, const uint8_t *data, uint64_t words) {
  int64_t now = 0;
  in->processes = 1;
  in->first[0] = 0;
  for (uint64_t i = 0; i < words; i++) {
    uint64_t word;
    memcpy(&word, data + 8 * i, sizeof word);
    if (!word && in->processes < MEETINGS) {
      in->first[in->processes++] = in->moments;
      now = 0;
    } else if (word) {
      int64_t next = (int64_t)(word >> (64 - TIME_BITS));
      now = next > now ? next : now + 1;
      in->time[in->moments] = now - ((int64_t)1 << (TIME_BITS - 1));
      in->meeting[in->moments] = word >> KIND_BITS & (MEETINGS - 1);
      in->is_sink[in->moments++] = word & 1;
    }
  }
  in->first[in->processes] = in->moments;
}

static void check(const struct input *in, const struct pomp_ordering *run) {
  int64_t latest[MEETINGS];
  for (int m = 0; m < MEETINGS; m++)
    latest[m] = INT64_MIN;
  for (uint64_t i = 0; i < in->moments; i++)
    if (!in->is_sink[i] && in->time[i] + run->shift[i] > latest[in->meeting[i]])
      latest[in->meeting[i]] = in->time[i] + run->shift[i];
  for (uint64_t p = 0; p < in->processes; p++)
    for (uint64_t i = in->first[p]; i < in->first[p + 1]; i++) {
      if (run->shift[i] < 0 || (i > in->first[p] && in->time[i] + run->shift[i] <
                                                        in->time[i - 1] + run->shift[i - 1]))
        abort();
      if (in->is_sink[i] && !run->forced && in->time[i] + run->shift[i] < latest[in->meeting[i]])
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint64_t words = size / 8;
  struct input in = {.time = column(words, sizeof *in.time),
                     .meeting = column(words, sizeof *in.meeting),
                     .is_sink = column(words, sizeof *in.is_sink)};
  int64_t sources[MEETINGS] = {0}, latest[MEETINGS], earliest[MEETINGS];
  read_words(&in, data, words);
  int64_t *shift = column(in.moments, sizeof *shift);
  for (uint64_t i = 0; i < in.moments; i++)
    sources[in.meeting[i]] += !in.is_sink[i];
  struct pomp_ordering run = {.processes = in.processes,
                              .first = in.first,
                              .time = in.time,
                              .meeting = in.meeting,
                              .is_sink = in.is_sink,
                              .meetings = MEETINGS,
                              .sources = sources,
                              .latest = latest,
                              .earliest = earliest,
                              .latency = 1,
                              .shift = shift};
  if (!pomp_order(&run))
    check(&in, &run);
  free(in.time);
  free(in.meeting);
  free(in.is_sink);
  free(shift);
  return 0;
}
