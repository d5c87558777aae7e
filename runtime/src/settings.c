/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "settings.h"

#include "say.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

enum setting_type { TEXT, SWITCH, FOREIGN };

static const struct setting {
  const char *name;
  enum setting_type type;
  const char *fallback;
  const char *does;
} settings[] = {
#define SETTING(name, type, fallback, does) {#name, type, fallback, does},
#include "settings.def"
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

static bool is_switch(const char *value) { return !strcmp(value, "0") || !strcmp(value, "1"); }

static void check_entry(const char *entry) {
  const char *equals = strchr(entry, '=');
  if (!equals || strncmp(entry, "POMP_", 5) != 0)
    return;
  size_t length = (size_t)(equals - entry);
  const struct setting *s = find_entry(entry, length);
  if (!s)
    pomp_say("%.*s is not a setting of this version, it is ignored", (int)length, entry);
  else if (s->type == SWITCH && !is_switch(equals + 1))
    pomp_say("%s=%.80s is neither 0 nor 1, taken as %s (%s)", s->name, equals + 1, s->fallback,
             s->does);
}

static bool switched_on(const char *name) {
  const char *value = secure_getenv(name);
  if (value && is_switch(value))
    return *value == '1';
  return *find_entry(name, strlen(name))->fallback == '1';
}

struct pomp_settings pomp_settings_read(void) {
  struct pomp_settings s;
  if (!getauxval(AT_SECURE))
    for (char **entry = environ; entry && *entry; entry++)
      check_entry(*entry);
  s.experiment_dir = secure_getenv("POMP_EXPERIMENT_DIR");
  if (s.experiment_dir && !*s.experiment_dir)
    s.experiment_dir = NULL;
  s.profile = switched_on("POMP_PROFILE");
  s.tsc = switched_on("POMP_TSC");
  s.verbose = switched_on("POMP_VERBOSE");
  return s;
}
