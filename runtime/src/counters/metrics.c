/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counters/metrics.h"

#include "counters/papi.h"
#include "counters/perf.h"
#include "location/arena.h"
#include "system/message.h"

#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
  const char *name;
  uint32_t type;
  uint64_t config;
} known[] = {
#define METRIC(name, type, config) {name, PERF_TYPE_##type, PERF_COUNT_##config},
#define CACHE_METRIC(name, cache, operation, result)                                               \
  {name, PERF_TYPE_HW_CACHE,                                                                       \
   PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_##operation << 8 |                         \
       PERF_COUNT_HW_CACHE_RESULT_##result << 16},
#include "counters/metrics.def"
#undef CACHE_METRIC
#undef METRIC
};

struct pomp_metric pomp_metrics[POMP_MOST_METRICS];

/* "name=metric,...": other names of a counted metric. */
static char aliases[POMP_MOST_METRICS * 2 * (POMP_METRIC_NAME + 1)];
static size_t aliases_length;

/* In an expression a name's hyphen would be a minus: '_' does as well. */
static bool is_called(const char *name, const char *wanted) {
  for (; *name && *wanted; name++, wanted++)
    if (tolower((unsigned char)*name) != tolower((unsigned char)*wanted) &&
        !(*name == '-' && *wanted == '_'))
      return false;
  return !*name && !*wanted;
}

static bool find_by_perf(struct pomp_metric *m) {
  char *end;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (is_called(known[i].name, m->name)) {
      snprintf(m->name, sizeof m->name, "%s", known[i].name);
      m->type = known[i].type;
      m->code = known[i].config;
      return true;
    }
  m->type = PERF_TYPE_RAW;
  m->code = strtoull(m->name + 1, &end, 16);
  return m->name[0] == 'r' && isxdigit((unsigned char)m->name[1]) && !*end;
}

static bool find(struct pomp_metric *m) {
  bool papis = !strncmp(m->name, "PAPI_", 5) || strstr(m->name, "::");
  m->by_papi = papis && pomp_papi_find(m);
  if (m->by_papi)
    return true;
  if (find_by_perf(m))
    return pomp_perf_offers(m);
  m->by_papi = !papis && pomp_papi_find(m);
  errno = m->by_papi ? 0 : ENOENT;
  return m->by_papi;
}

static bool is_there(const char *name) {
  for (uint32_t i = 0; i < pomp_metric_count; i++)
    if (!strcmp(pomp_metrics[i].name, name))
      return true;
  return false;
}

static const char *why_not(void) {
  switch (errno) {
  case EACCES:
  case EPERM:
    return "the system does not allow it (kernel.perf_event_paranoid)";
  case ENOENT:
  case ENODEV:
  case EOPNOTSUPP:
    return "this machine does not offer it";
  default:
    return strerror(errno);
  }
}

static const struct pomp_metric *same_as(const struct pomp_metric *m) {
  for (uint32_t i = 0; i < pomp_metric_count; i++)
    if (pomp_metrics[i].by_papi == m->by_papi && pomp_metrics[i].type == m->type &&
        pomp_metrics[i].code == m->code)
      return &pomp_metrics[i];
  return NULL;
}

static bool is_defined(const char *list, const char *end, const char *name, size_t length) {
  for (const char *at = list; at < end; at++)
    if ((at == list || at[-1] == ',') && !strncmp(at, name, length) && at[length] == '=')
      return true;
  return false;
}

static void add_alias(const char *name, const char *metric) {
  size_t room = sizeof aliases - aliases_length;
  if (is_defined(aliases, aliases + aliases_length, name, strlen(name)))
    return;
  int length =
      snprintf(aliases + aliases_length, room, "%s%s=%s", aliases_length ? "," : "", name, metric);
  if (length > 0 && (size_t)length < room)
    aliases_length += (size_t)length;
}

static void add_found(const struct pomp_metric *m) {
  const struct pomp_metric *same = same_as(m);
  if (same)
    add_alias(m->name, same->name);
  else if (pomp_metric_count < POMP_MOST_METRICS)
    pomp_metrics[pomp_metric_count++] = *m;
  else
    pomp_message("POMP_METRICS: %s is one too many, it is not counted", m->name);
}

static void add(const char *name, size_t length) {
  struct pomp_metric m = {.name = ""};
  if (!length)
    return;
  if (length >= sizeof m.name) {
    pomp_message("POMP_METRICS: %.*s: no counter has such a name", (int)length, name);
    return;
  }
  memcpy(m.name, name, length);
  m.name[length] = '\0';
  if (is_there(m.name))
    return;
  if (!find(&m))
    pomp_message("POMP_METRICS: %s is not counted: %s", m.name, why_not());
  else if (!is_there(m.name))
    add_found(&m);
}

static bool continues(const char *at) {
  return isalnum((unsigned char)*at) || strchr("_:.", *at) ||
         (*at == '-' && isalpha((unsigned char)at[1]));
}

/* The names in an expression that are no results of others. */
static void add_operands(const char *list, const char *from, const char *end) {
  while (from < end) {
    const char *at = from;
    bool is_name = isalpha((unsigned char)*at) || *at == '_';
    while (at < end && continues(at))
      at++;
    if (is_name && !is_defined(list, end, from, (size_t)(at - from)))
      add(from, (size_t)(at - from));
    from = at > from ? at : from + 1;
  }
}

void pomp_metrics_choose(const char *list) {
  const char *item = list;
  while (item && *item) {
    size_t length = strcspn(item, ",");
    const char *equals = memchr(item, '=', length);
    if (equals)
      add_operands(list, equals + 1, item + length);
    else
      add(item, length);
    item += length + (item[length] == ',');
  }
  if (list && *list && !pomp_metric_count)
    pomp_message("POMP_METRICS: none of these can be counted, the profile is without");
}

void pomp_metrics_describe(const char *list) {
  char names[POMP_MOST_METRICS * (POMP_METRIC_NAME + 1)] = "";
  size_t used = 0;
  for (uint32_t i = 0; i < pomp_metric_count; i++) {
    size_t length = strlen(pomp_metrics[i].name);
    if (i)
      names[used++] = ',';
    memcpy(names + used, pomp_metrics[i].name, length);
    used += length;
  }
  if (!pomp_metric_count)
    return;
  pomp_arena_text("metrics", names, used);
  pomp_arena_text("metric_aliases", aliases, aliases_length);
  pomp_arena_text("wanted_metrics", list, strnlen(list, 65535));
}
