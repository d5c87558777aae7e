/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "directory.h"

#include "format.h"
#include "say.h"
#include "syscalls.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_SUFFIXES = 1000000 };

static bool fits(int length, size_t size) { return length >= 0 && (size_t)length < size; }

/* What cannot be made here is told by the making of the last part. */
static void make_parents(char *path) {
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    sys_mkdir(path, 0700);
    *slash = '/';
  }
}

/* Returns the file's descriptor; EEXIST when an experiment is there already. */
static int create_file(struct pomp_directory *where) {
  if (!fits(snprintf(where->file, sizeof where->file, "%s/" POMP_FILE_NAME, where->path),
            sizeof where->file)) {
    errno = ENAMETOOLONG;
    return -1;
  }
  return sys_open(where->file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
}

static bool make_absolute(struct pomp_directory *where, const char *path) {
  char here[PATH_MAX];
  if (*path == '/')
    return fits(snprintf(where->path, sizeof where->path, "%s", path), sizeof where->path);
  if (!getcwd(here, sizeof here))
    return false;
  return fits(snprintf(where->path, sizeof where->path, "%s/%s", here, path), sizeof where->path);
}

static void strip_slashes(char *path) {
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/')
    path[--length] = '\0';
}

static int give_up(const char *path) {
  pomp_say("cannot write the experiment to %s: %s; nothing is measured", path, strerror(errno));
  return -1;
}

/* "<stem>-<n>" for the smallest n that is free. */
static int create_numbered(struct pomp_directory *where, const char *stem) {
  for (int n = 1; n < MOST_SUFFIXES; n++) {
    if (!fits(snprintf(where->path, sizeof where->path, "%s-%d", stem, n), sizeof where->path)) {
      errno = ENAMETOOLONG;
      return -1;
    }
    if (sys_mkdir(where->path, 0700) == 0)
      return create_file(where);
    if (errno != EEXIST)
      return -1;
  }
  return -1;
}

static int create_named(struct pomp_directory *where) {
  make_parents(where->path);
  if (sys_mkdir(where->path, 0700) != 0 && errno != EEXIST)
    return -1;
  return create_file(where);
}

static void default_stem(char *stem, size_t size) {
  snprintf(stem, size, "pomp-%s", program_invocation_short_name);
  for (char *c = stem; *c; c++)
    if (!isalnum((unsigned char)*c) && !strchr("._+-", *c))
      *c = '_';
}

static int create_default(struct pomp_directory *where) {
  char name[256], stem[PATH_MAX];
  default_stem(name, sizeof name);
  if (!make_absolute(where, name))
    return give_up(name);
  memcpy(stem, where->path, sizeof stem);
  int fd = create_numbered(where, stem);
  return fd < 0 ? give_up(where->path) : fd;
}

int pomp_directory_create(struct pomp_directory *where, const char *wanted) {
  char stem[PATH_MAX];
  if (!wanted)
    return create_default(where);
  if (!make_absolute(where, wanted)) {
    if (strlen(wanted) >= PATH_MAX)
      errno = ENAMETOOLONG;
    return give_up(wanted);
  }
  strip_slashes(where->path);
  memcpy(stem, where->path, sizeof stem);
  int fd = create_named(where);
  if (fd >= 0)
    return fd;
  if (errno != EEXIST)
    return give_up(stem);
  fd = create_numbered(where, stem);
  if (fd < 0)
    return give_up(where->path);
  pomp_say("%s holds an experiment already, this one is in %s", stem, where->path);
  return fd;
}

int pomp_directory_beside(struct pomp_directory *where, long pid) {
  size_t length = strlen(where->path);
  if (!fits(snprintf(where->path + length, sizeof where->path - length, ".%ld", pid),
            sizeof where->path - length)) {
    errno = ENAMETOOLONG;
    return give_up(where->path);
  }
  int fd = create_named(where);
  return fd < 0 ? give_up(where->path) : fd;
}
