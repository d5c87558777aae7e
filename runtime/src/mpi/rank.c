/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "mpi/rank.h"

#include "system/syscalls.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const ranks[] = {"PMIX_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK",
                                    "MV2_COMM_WORLD_RANK"};

/* Variables of one row are set together. */
static const char *const jobs[][2] = {
    {"PMIX_NAMESPACE", NULL}, {"SLURM_JOB_ID", "SLURM_STEP_ID"}, {"PMI_JOBID", NULL}};

enum { RANKS = sizeof ranks / sizeof *ranks, JOBS = sizeof jobs / sizeof *jobs };
enum { MOST_ANCESTORS = 16, MOST_ENVIRONMENT = 1 << 16 };

int pomp_rank(void) {
  for (int i = 0; i < RANKS; i++) {
    const char *value = secure_getenv(ranks[i]);
    size_t digits = value ? strspn(value, "0123456789") : 0;
    if (digits && digits < 9 && !value[digits])
      return atoi(value);
  }
  return -1;
}

static bool named_by_launcher(char job[POMP_JOB_LENGTH]) {
  for (int i = 0; i < JOBS; i++) {
    const char *first = secure_getenv(jobs[i][0]);
    const char *second = jobs[i][1] ? secure_getenv(jobs[i][1]) : "";
    if (first && *first && second) {
      snprintf(job, POMP_JOB_LENGTH, "%.100s.%.40s", first, second);
      return true;
    }
  }
  return false;
}

static size_t read_of(long pid, const char *what, char *text, size_t size) {
  char path[64];
  size_t length = 0;
  snprintf(path, sizeof path, "/proc/%ld/%s", pid, what);
  int fd = sys_open(path, O_RDONLY | O_CLOEXEC, 0);
  while (fd >= 0 && length < size - 1) {
    ssize_t got = sys_read(fd, text + length, size - 1 - length);
    if (got <= 0)
      break;
    length += (size_t)got;
  }
  if (fd >= 0)
    sys_close(fd);
  text[length] = '\0';
  return length;
}

static bool has_rank(long pid) {
  static char environment[MOST_ENVIRONMENT];
  size_t length = read_of(pid, "environ", environment, sizeof environment);
  for (size_t at = 0; at < length; at += strlen(environment + at) + 1)
    for (int i = 0; i < RANKS; i++) {
      size_t name = strlen(ranks[i]);
      if (!strncmp(environment + at, ranks[i], name) && environment[at + name] == '=')
        return true;
    }
  return false;
}

/* Its parent, and when it was started; 0 where that is not to be known. */
static long parent_of(long pid, unsigned long long *started) {
  char text[1024];
  long parent = 0;
  read_of(pid, "stat", text, sizeof text);
  const char *after = strrchr(text, ')');
  *started = 0;
  if (!after || sscanf(after,
                       ") %*c %ld %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d "
                       "%*d %*d %*d %llu",
                       &parent, started) != 2)
    return 0;
  return parent;
}

/* Hydra starts a proxy on each machine, and tells them all where it listens. */
static bool named_by_proxy(long pid, char job[POMP_JOB_LENGTH]) {
  static const char option[] = "--control-port";
  char words[4096];
  size_t length = read_of(pid, "cmdline", words, sizeof words);
  for (size_t at = 0; at < length; at += strlen(words + at) + 1)
    if (!strcmp(words + at, option) && at + sizeof option < length) {
      snprintf(job, POMP_JOB_LENGTH, "%.*s", POMP_JOB_LENGTH - 1, words + at + sizeof option);
      return true;
    }
  return false;
}

/* The process on this machine that made the processes of the job: the next above that is none. */
static void by_ancestor(char job[POMP_JOB_LENGTH]) {
  char host[HOST_NAME_MAX + 1] = "";
  unsigned long long started = 0;
  long pid = getpid();
  for (int i = 0; i < MOST_ANCESTORS; i++) {
    long parent = parent_of(pid, &started);
    if (parent <= 1)
      break;
    pid = parent;
    if (!has_rank(pid))
      break;
  }
  if (named_by_proxy(pid, job))
    return;
  parent_of(pid, &started);
  gethostname(host, sizeof host - 1);
  snprintf(job, POMP_JOB_LENGTH, "%.80s.%ld.%llu", host, pid, started);
}

void pomp_rank_job(char job[POMP_JOB_LENGTH]) {
  if (!named_by_launcher(job))
    by_ancestor(job);
}
