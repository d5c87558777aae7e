/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "command.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Programs that run the compiler that follows them: LAUNCHERS of driver/command/classify.py. */
static const char *const launchers[] = {"ccache", "sccache", "distcc", "icecc", "buildcache",
                                        "env",    "nice",    "nohup",  "time"};

/* Our options that a compile by a server's process does not obey. */
static const char *const own_process[] = {"--pomp-server", "--pomp-commands"};

/* Our options that change nothing in a compile without OpenMP. A test reads them. */
static const char *const for_openmp[] = {
    "--pomp-barriers=arrival", "--pomp-barriers=explicit",
    "--pomp-barriers=ompt",    "--pomp-cache=off",
    "--pomp-cache=on",         "--pomp-included=each",
    "--pomp-included=once",    "--pomp-inline=off",
    "--pomp-inline=on",        "--pomp-library=log",
    "--pomp-library=null",     "--pomp-library=profile",
    "--pomp-runtime=shared",   "--pomp-runtime=static",
    "--pomp-strict",           "--pomp-trace",
};

/* Variables by which ccache, or a developer, makes a compile a special case. */
static const char *const special[] = {"UNCACHED_ERR_FD", "CCACHE_DISABLE", "POMP_DEBUG"};

static bool is_one_of(const char *word, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!strcmp(word, words[i]))
      return true;
  return false;
}

static bool is_for_openmp(const char *word, size_t size) {
  for (size_t i = 0; i < COUNT(for_openmp); i++)
    if (strlen(for_openmp[i]) == size && !strncmp(word, for_openmp[i], size))
      return true;
  return false;
}

/* Blanks separate the words of POMP_FLAGS; a quote makes a word none of the table's. */
static bool are_for_openmp(const char *flags) {
  static const char *const blanks = " \t\n";
  for (size_t size; *(flags += strspn(flags, blanks)); flags += size) {
    size = strcspn(flags, blanks);
    if (!is_for_openmp(flags, size))
      return false;
  }
  return true;
}

static bool has_one_of(const char *text, const char *const *parts, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strstr(text, parts[i]))
      return true;
  return false;
}

static const char *base(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static bool is_program(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

/* Writes the real path of the file that a shell would run, or returns false. */
static bool find(const char *name, char real[PATH_MAX]) {
  char path[PATH_MAX];
  if (strchr(name, '/'))
    return is_program(name) && realpath(name, real);
  const char *folders = getenv("PATH");
  for (size_t size; folders && *folders; folders += size + (folders[size] == ':')) {
    size = strcspn(folders, ":");
    int length = snprintf(path, sizeof path, "%.*s%s%s", (int)size, folders, size ? "/" : "", name);
    if (length < (int)sizeof path && is_program(path))
      return realpath(path, real);
  }
  return false;
}

static bool is_compiler(const char *name, const char *program) {
  const char *of_name = base(name), *of_program = base(program);
  return !is_one_of(of_name, launchers, COUNT(launchers)) &&
         !is_one_of(of_program, launchers, COUNT(launchers)) && !strchr(name, '=') &&
         strncmp(of_name, "pomp-", 5) && strncmp(of_program, "pomp-", 5);
}

/* A word behind -Xlinker and its like is no option of the compiler's own. */
static enum kind kind_of(char **options, bool is_certain) {
  bool is_compile = false, is_openmp = false;
  for (char **option = options; *option; option++) {
    if (**option == '@' || !strcmp(*option, "-") || !strcmp(*option, "--"))
      return POMP_UNKNOWN; /* more options, or a source that nothing names */
    is_compile = is_compile || !strcmp(*option, "-c");
    is_openmp = is_openmp || strstr(*option, "openmp");
    is_certain = is_certain && strncmp(*option, "-X", 2);
  }
  if (is_openmp)
    return POMP_OPENMP;
  return is_compile && is_certain ? POMP_PLAIN : POMP_UNKNOWN;
}

struct command command_read(char **arguments) {
  struct command command = {.kind = POMP_UNKNOWN};
  const char *flags = getenv("POMP_FLAGS");
  bool is_certain = !flags || are_for_openmp(flags);
  char **word = arguments + 1;
  if (flags && has_one_of(flags, own_process, COUNT(own_process)))
    return command;
  for (size_t i = 0; i < COUNT(special); i++)
    if (getenv(special[i]))
      return command;
  for (; *word && strcmp(*word, "--"); word++) {
    is_certain = is_certain && is_for_openmp(*word, strlen(*word));
    if (strncmp(*word, "--pomp-", 7) || has_one_of(*word, own_process, COUNT(own_process)))
      return command;
  }
  if (!*word || !word[1] || !find(word[1], command.program) ||
      !is_compiler(word[1], command.program))
    return command;
  command.compiler = word + 1;
  command.kind = kind_of(word + 2, is_certain);
  return command;
}
