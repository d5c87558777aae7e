/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "process/directory.h"

#include "location/format.h"
#include "mpi/rank.h"
#include "system/message.h"
#include "system/syscalls.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* An experiment is the user's own output: the umask says who else may read it. */
enum { MOST_SUFFIXES = 1000000, DIRECTORY_MODE = 0777, FILE_MODE = 0666 };

static bool fits(int length, size_t size) { return length >= 0 && (size_t)length < size; }

/* A failure here shows when the last part of the path is made. */
static void make_parents(char *path) {
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    sys_mkdir(path, DIRECTORY_MODE);
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
  return sys_open(where->file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, FILE_MODE);
}

static bool make_absolute(struct pomp_directory *where, const char *path) {
  char current[PATH_MAX];
  if (*path == '/')
    return fits(snprintf(where->path, sizeof where->path, "%s", path), sizeof where->path);
  if (!getcwd(current, sizeof current))
    return false;
  return fits(snprintf(where->path, sizeof where->path, "%s/%s", current, path),
              sizeof where->path);
}

static void strip_slashes(char *path) {
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/')
    path[--length] = '\0';
}

static int give_up(const char *path) {
  pomp_message("cannot write the experiment to %s: %s; nothing is measured", path, strerror(errno));
  return -1;
}

/* "<stem>-<n>" for the smallest n that is free. */
static int create_numbered(struct pomp_directory *where, const char *stem) {
  for (int n = 1; n < MOST_SUFFIXES; n++) {
    if (!fits(snprintf(where->path, sizeof where->path, "%s-%d", stem, n), sizeof where->path)) {
      errno = ENAMETOOLONG;
      return -1;
    }
    if (sys_mkdir(where->path, DIRECTORY_MODE) == 0)
      return create_file(where);
    if (errno != EEXIST)
      return -1;
  }
  return -1;
}

static int create_named(struct pomp_directory *where) {
  make_parents(where->path);
  if (sys_mkdir(where->path, DIRECTORY_MODE) != 0 && errno != EEXIST)
    return -1;
  return create_file(where);
}

/* True if the directory is this job's.  The first process of a job makes it so, unless it has the
 * experiment of a process without a job. */
static bool is_jobs(const char *directory) {
  char link[PATH_MAX], file[PATH_MAX], job[POMP_JOB_LENGTH], known[POMP_JOB_LENGTH];
  pomp_rank_job(job);
  if (!fits(snprintf(link, sizeof link, "%s/job", directory), sizeof link) ||
      !fits(snprintf(file, sizeof file, "%s/" POMP_FILE_NAME, directory), sizeof file))
    return false;
  if (sys_is_there(file))
    return false;
  if (sys_symlink(job, link) == 0)
    return true;
  ssize_t length = errno == EEXIST ? sys_readlink(link, known, sizeof known - 1) : -1;
  return length == (ssize_t)strlen(job) && !memcmp(known, job, (size_t)length);
}

/* "<stem>/rank-<n>", or with the job's other processes in "<stem>-<n>" for the smallest n that
 * is free, from the one given. */
static int create_ranked(struct pomp_directory *where, const char *stem, int rank, int n) {
  for (; n < MOST_SUFFIXES; n++) {
    char base[PATH_MAX];
    int length =
        n ? snprintf(base, sizeof base, "%s-%d", stem, n) : snprintf(base, sizeof base, "%s", stem);
    if (!fits(length, sizeof base) ||
        !fits(snprintf(where->path, sizeof where->path, "%s/rank-%d", base, rank),
              sizeof where->path)) {
      errno = ENAMETOOLONG;
      return -1;
    }
    make_parents(base);
    if (sys_mkdir(base, DIRECTORY_MODE) != 0 && errno != EEXIST)
      return -1;
    if (!is_jobs(base))
      continue;
    int fd = create_named(where);
    if (fd >= 0 || errno != EEXIST)
      return fd;
  }
  return -1;
}

static void default_stem(char *stem, size_t size) {
  snprintf(stem, size, "pomp-%s", program_invocation_short_name);
  for (char *c = stem; *c; c++)
    if (!isalnum((unsigned char)*c) && !strchr("._+-", *c))
      *c = '_';
}

bool pomp_directory_choose(struct pomp_directory *where, const char *wanted) {
  char name[256];
  where->is_named = wanted != NULL;
  if (!wanted) {
    default_stem(name, sizeof name);
    wanted = name;
  }
  if (!make_absolute(where, wanted)) {
    if (strlen(wanted) >= PATH_MAX)
      errno = ENAMETOOLONG;
    give_up(wanted);
    return false;
  }
  if (where->is_named)
    strip_slashes(where->path);
  return true;
}

static int create_default(struct pomp_directory *where, const char *stem) {
  int rank = pomp_rank();
  int fd = rank < 0 ? create_numbered(where, stem) : create_ranked(where, stem, rank, 1);
  return fd < 0 ? give_up(where->path) : fd;
}

static bool is_below(const char *path, const char *above) {
  size_t length = strlen(above);
  return !strncmp(path, above, length) && path[length] == '/';
}

static int create_wanted_rank(struct pomp_directory *where, const char *stem, int rank) {
  int fd = create_ranked(where, stem, rank, 0);
  if (fd < 0)
    return give_up(where->path);
  if (!is_below(where->path, stem) && rank == 0)
    pomp_message("%s holds an experiment already, this one is in %s", stem, where->path);
  return fd;
}

int pomp_directory_create(struct pomp_directory *where) {
  char stem[PATH_MAX];
  memcpy(stem, where->path, sizeof stem);
  if (!where->is_named)
    return create_default(where, stem);
  if (pomp_rank() >= 0)
    return create_wanted_rank(where, stem, pomp_rank());
  int fd = create_named(where);
  if (fd >= 0)
    return fd;
  if (errno != EEXIST)
    return give_up(stem);
  fd = create_numbered(where, stem);
  if (fd < 0)
    return give_up(where->path);
  pomp_message("%s holds an experiment already, this one is in %s", stem, where->path);
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

void pomp_directory_discard(const struct pomp_directory *where) {
  sys_unlink(where->file);
  sys_rmdir(where->path);
}
