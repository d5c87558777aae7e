/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "count.h"

#include "line.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 4096 };

struct counter {
  char *place;
  const char *event;
  unsigned long count;
  struct counter *next;
};

static struct counter *buckets[BUCKETS];
static size_t counter_count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct counter **bucket_of(const char *place, const char *event) {
  unsigned hash = 5381;
  for (const char *c = place; *c; c++)
    hash = hash * 33 + (unsigned char)*c;
  for (const char *c = event; *c; c++)
    hash = hash * 33 + (unsigned char)*c;
  return &buckets[hash % BUCKETS];
}

static struct counter *add(struct counter **bucket, const char *place, const char *event) {
  struct counter *c = malloc(sizeof *c);
  if (!c)
    abort();
  *c = (struct counter){strdup(place), event, 0, *bucket};
  counter_count++;
  return *bucket = c;
}

static void count(const char *place, const char *event) {
  struct counter **bucket = bucket_of(place, event), *c = *bucket;
  while (c && (strcmp(c->place, place) != 0 || strcmp(c->event, event) != 0))
    c = c->next;
  if (!c)
    c = add(bucket, place, event);
  c->count++;
}

void pomp_log_count(const char *place, const char *event) {
  pthread_mutex_lock(&mutex);
  count(place, event);
  count("total", event);
  pthread_mutex_unlock(&mutex);
}

static int compare(const void *left, const void *right) {
  const struct counter *a = *(struct counter *const *)left, *b = *(struct counter *const *)right;
  int order = strcmp(a->place, b->place);
  return order ? order : strcmp(a->event, b->event);
}

static void print(const struct counter *c) {
  char line[LONGEST_LINE];
  int length = snprintf(line, sizeof line, "%s %s %lu\n", c->place, c->event, c->count);
  if (length > 0)
    pomp_log_write(line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
}

__attribute__((destructor(101))) static void print_all(void) {
  size_t n = 0;
  pthread_mutex_lock(&mutex);
  struct counter **all = counter_count ? malloc(counter_count * sizeof(*all)) : NULL;
  for (int i = 0; all && i < BUCKETS; i++)
    for (struct counter *c = buckets[i]; c; c = c->next)
      all[n++] = c;
  if (all)
    qsort(all, n, sizeof(*all), compare);
  for (size_t i = 0; i < n; i++)
    print(all[i]);
  free(all);
  pthread_mutex_unlock(&mutex);
}
