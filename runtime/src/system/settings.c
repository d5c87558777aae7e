/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/settings.h"

#include "system/message.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/auxv.h>
#include <unistd.h>

enum setting_type { TEXT, SWITCH, TIME, COUNT, SIGNAL, ACCOUNT, FOREIGN };

static const struct setting {
  const char *name;
  enum setting_type type;
  const char *fallback;
  const char *does;
} settings[] = {
#define SETTING(name, type, fallback, does) {#name, type, fallback, does},
#include "system/settings.def"
#undef SETTING
};
enum { SETTINGS = sizeof settings / sizeof *settings };

static bool is_entry(const struct setting *s, const char *entry, size_t name_length) {
  size_t length = strlen(s->name);
  return name_length == length && strncmp(entry, s->name, length) == 0;
}

static const struct setting *find_entry(const char *entry, size_t name_length) {
  for (int i = 0; i < SETTINGS; i++)
    if (is_entry(&settings[i], entry, name_length))
      return &settings[i];
  return NULL;
}

/* Seconds with up to nine decimals, as nanoseconds. */
static bool read_time(const char *text, uint64_t *nanoseconds) {
  uint64_t value = 0;
  int decimals = -1;
  if (!*text)
    return false;
  for (; *text; text++) {
    if (*text == '.' && decimals < 0 && text[1]) {
      decimals = 0;
      continue;
    }
    if (*text < '0' || *text > '9' || value > UINT64_MAX / 100 || decimals == 9)
      return false;
    value = value * 10 + (uint64_t)(*text - '0');
    decimals += decimals >= 0;
  }
  for (int i = decimals > 0 ? decimals : 0; i < 9; i++) {
    if (value > UINT64_MAX / 10)
      return false;
    value *= 10;
  }
  *nanoseconds = value;
  return true;
}

static bool read_count(const char *text, uint64_t *count) {
  char *end;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  *count = value;
  return *text >= '0' && *text <= '9' && !*end && !errno && value <= UINT32_MAX;
}

/* Signals that programs rarely use. */
static const struct {
  const char *name;
  int number;
} signals[] = {{"HUP", SIGHUP},     {"USR1", SIGUSR1}, {"USR2", SIGUSR2}, {"URG", SIGURG},
               {"WINCH", SIGWINCH}, {"IO", SIGIO},     {"PROF", SIGPROF}, {"VTALRM", SIGVTALRM}};

/* By name, with SIG in front or without, or by number. */
static bool read_signal(const char *text, uint64_t *number) {
  const char *name = strncmp(text, "SIG", 3) == 0 ? text + 3 : text;
  *number = 0;
  if (!*text)
    return true;
  if (read_count(text, number))
    return *number > 0 && *number <= (uint64_t)SIGRTMAX;
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    if (!strcmp(signals[i].name, name))
      *number = (uint64_t)signals[i].number;
  return *number != 0;
}

static const struct {
  const char *word;
  bool on;
} switch_words[] = {{"0", false},     {"1", true},    {"no", false},  {"yes", true},
                    {"false", false}, {"true", true}, {"off", false}, {"on", true}};

static bool read_switch(const char *text, uint64_t *on) {
  *on = 0;
  for (size_t i = 0; i < sizeof switch_words / sizeof *switch_words; i++)
    if (!strcasecmp(switch_words[i].word, text)) {
      *on = switch_words[i].on;
      return true;
    }
  return false;
}

static bool read_account(const char *text, uint64_t *minimal) {
  *minimal = !strcmp(text, "minimal");
  return *minimal || !strcmp(text, "naive");
}

static const struct form {
  bool (*read)(const char *text, uint64_t *value);
  const char *is;
} forms[] = {
    [SWITCH] = {read_switch, "neither 1 (yes, true, on) nor 0 (no, false, off)"},
    [TIME] = {read_time, "no number of seconds"},
    [COUNT] = {read_count, "no count"},
    [SIGNAL] = {read_signal, "no signal"},
    [ACCOUNT] = {read_account, "neither naive nor minimal"},
    [FOREIGN] = {NULL, NULL},
};

static void check_entry(const char *entry) {
  const char *equals = strchr(entry, '=');
  uint64_t unused;
  if (!equals || strncmp(entry, "POMP_", 5) != 0)
    return;
  size_t length = (size_t)(equals - entry);
  const struct setting *s = find_entry(entry, length);
  if (!s)
    pomp_message("%.*s is not a setting of this version, it is ignored", (int)length, entry);
  else if (forms[s->type].read && !forms[s->type].read(equals + 1, &unused))
    pomp_message("%s=%.80s is %s, taken as %s (%s)", s->name, equals + 1, forms[s->type].is,
                 *s->fallback ? s->fallback : "unset", s->does);
}

static uint64_t value_of(const char *name) {
  const struct setting *s = find_entry(name, strlen(name));
  const char *value = secure_getenv(name);
  uint64_t read = 0;
  if (!value || !forms[s->type].read(value, &read))
    forms[s->type].read(s->fallback, &read);
  return read;
}

struct pomp_settings pomp_settings_read(void) {
  struct pomp_settings s;
  if (!getauxval(AT_SECURE))
    for (char **entry = environ; entry && *entry; entry++)
      check_entry(*entry);
  s.experiment_dir = secure_getenv("POMP_EXPERIMENT_DIR");
  if (s.experiment_dir && !*s.experiment_dir)
    s.experiment_dir = NULL;
  s.metrics = secure_getenv("POMP_METRICS");
  s.mpi_minimal = value_of("POMP_MPI_VOLUME") != 0;
  s.mpi_clocks = (uint32_t)value_of("POMP_MPI_CLOCKS");
  s.iterations = value_of("POMP_ITERATIONS") != 0;
  s.target_content = value_of("POMP_TARGET_CONTENT") != 0;
  s.profile = value_of("POMP_PROFILE") != 0;
  s.tsc = value_of("POMP_TSC") != 0;
  s.verbose = value_of("POMP_VERBOSE") != 0;
  s.snapshot_interval = value_of("POMP_SNAPSHOT_INTERVAL");
  s.snapshot_limit = (uint32_t)value_of("POMP_SNAPSHOT_LIMIT");
  s.snapshot_signal = (int)value_of("POMP_SNAPSHOT_SIGNAL");
  s.trace = secure_getenv("POMP_TRACE") ? value_of("POMP_TRACE") != 0 : &pomp_traced != NULL;
  s.trace_at_end = value_of("POMP_TRACE_AT_END") != 0;
  s.trace_limit = (uint32_t)value_of("POMP_TRACE_LIMIT");
  return s;
}
