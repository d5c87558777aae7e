/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "process_state.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

/* The rows of process_state.py, in the same order. */
static const char *const fields[] = {
    "Umask",        "TracerPid",    "Uid",        "Gid",     "Groups",
    "SigBlk",       "SigIgn",       "CapInh",     "CapPrm",  "CapEff",
    "CapBnd",       "CapAmb",       "NoNewPrivs", "Seccomp", "Seccomp_filters",
    "Cpus_allowed", "Mems_allowed", "THP_enabled"};
static const char *const files[] = {"limits", "cgroup", "personality", "oom_score_adj",
                                    "attr/current"};
static const char *const namespaces[] = {"mnt", "pid", "net", "user", "uts", "ipc"};
static const char *const variables[] = {"LD_", "PYTHON", "LC_", "LANG", "GLIBC_", "MALLOC_"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool is_field(const char *line, size_t size) {
  const char *colon = memchr(line, ':', size);
  for (size_t i = 0; colon && i < COUNT(fields); i++)
    if (strlen(fields[i]) == (size_t)(colon - line) && !strncmp(line, fields[i], strlen(fields[i])))
      return true;
  return false;
}

/* Appends a set of signals without those that the C library keeps for itself. make and ninja use
 * posix_spawn, which leaves these ignored until the process starts a thread. */
static void append_signals(struct text *state, const char *line, const char *name,
                           unsigned long long added) {
  unsigned long long of_c_library = (1ULL << (SIGRTMIN - 1)) - (1ULL << 31);
  unsigned long long numbers = strtoull(line + strlen(name), NULL, 16) | added;
  text_print(state, "%s%016llx", name, numbers & ~of_c_library);
}

static void append_field(struct text *state, const char *line, size_t size) {
  static const char blocked[] = "SigBlk:\t", ignored[] = "SigIgn:\t";
  unsigned long long of_python = 1ULL << (SIGPIPE - 1) | 1ULL << (SIGXFSZ - 1);
  if (!strncmp(line, blocked, strlen(blocked)))
    append_signals(state, line, blocked, 0);
  else if (!strncmp(line, ignored, strlen(ignored)))
    append_signals(state, line, ignored, of_python); /* Python itself ignores them */
  else
    text_append(state, line, size);
}

/* False: there is no such file, or another process traces this one. */
static bool append_status(struct text *state) {
  struct text status = {0};
  bool is_ours = text_append_file(&status, "/proc/self/status");
  if (is_ours)
    text_append(&status, "", 1);
  is_ours = is_ours && !status.failed && strstr(status.bytes, "TracerPid:\t0\n");
  const char *separator = "";
  for (char *line = status.bytes; is_ours && *line; line += strcspn(line, "\n") + 1) {
    size_t size = strcspn(line, "\n");
    if (is_field(line, size)) {
      text_print(state, "%s", separator);
      append_field(state, line, size);
      separator = "\n";
    }
    if (!line[size])
      break;
  }
  free(status.bytes);
  return is_ours;
}

static void append_files(struct text *state) {
  char path[64];
  for (size_t i = 0; i < COUNT(files); i++) {
    text_append(state, "", 1);
    snprintf(path, sizeof path, "/proc/self/%s", files[i]);
    text_append_file(state, path);
  }
  for (size_t i = 0; i < COUNT(namespaces); i++) {
    char target[PATH_MAX];
    snprintf(path, sizeof path, "/proc/self/ns/%s", namespaces[i]);
    ssize_t size = readlink(path, target, sizeof target);
    text_append(state, "", 1);
    if (size > 0)
      text_append(state, target, (size_t)size);
  }
}

/* False: one of the calls failed. */
static bool append_priorities(struct text *state) {
  struct sched_param parameters;
  struct stat root;
  int policy = sched_getscheduler(0);
  errno = 0;
  int priority = getpriority(PRIO_PROCESS, 0);
  if (policy < 0 || errno || sched_getparam(0, &parameters) != 0 || stat("/", &root) != 0)
    return false;
  text_append(state, "", 1);
  text_print(state, "%d %d", policy, parameters.sched_priority);
  text_append(state, "", 1);
  text_print(state, "%d", priority);
  text_append(state, "", 1);
  text_print(state, "%llu %llu", (unsigned long long)root.st_dev, (unsigned long long)root.st_ino);
  return true;
}

static bool is_read_at_start(const char *variable) {
  for (size_t i = 0; i < COUNT(variables); i++)
    if (!strncmp(variable, variables[i], strlen(variables[i])))
      return true;
  return false;
}

/* By name: the name ends at the first `=`, which sorts before what may follow in a longer one. */
static int by_name(const void *left, const void *right) {
  const char *a = *(const char *const *)left, *b = *(const char *const *)right;
  size_t of_a = strcspn(a, "="), of_b = strcspn(b, "=");
  int order = memcmp(a, b, of_a < of_b ? of_a : of_b);
  return order ? order : (of_a > of_b) - (of_a < of_b);
}

/* False: there is no memory. */
static bool append_variables(struct text *state) {
  size_t all = 0, count = 0;
  while (environ[all])
    all++;
  const char **read_at_start = calloc(all + 1, sizeof *read_at_start);
  for (size_t i = 0; read_at_start && i < all; i++)
    if (strchr(environ[i], '=') && is_read_at_start(environ[i]))
      read_at_start[count++] = environ[i];
  if (!read_at_start)
    return false;
  qsort(read_at_start, count, sizeof *read_at_start, by_name);
  for (size_t i = 0; i < count; i++) {
    text_append(state, "", 1);
    text_print(state, "%s", read_at_start[i]);
  }
  free(read_at_start);
  return true;
}

bool process_state(struct text *state, const char *home, const char *libclang) {
  if (!append_status(state))
    return false;
  append_files(state);
  if (!append_priorities(state) || !append_variables(state))
    return false;
  text_append(state, "", 1);
  text_print(state, "%s", home);
  text_append(state, "", 1);
  text_print(state, "%s", libclang);
  return !state->failed;
}
