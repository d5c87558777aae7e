/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "mpi/agreement.h"

#include "system/clock.h"
#include "system/syscalls.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER "clocks"
#define AGREED "agreed"
#define LONGEST UINT64_C(5000000000)
#define NAP 1000000
#define MOST_NAP 50000000

/* The agreement is the target of a symbolic link, which can be made only once. */
enum { MOST_AGREED = 4000, LINE = 32 };

/* The processes that have come so far. */
struct assembly {
  int *ranks;
  unsigned count, most;
  long processes;
  bool is_known; /* for how many processes each speaks */
};

/* As the kernel writes it. */
struct entry {
  uint64_t inode;
  int64_t next;
  uint16_t length;
  uint8_t type;
  char name[];
};

static const char *own_directory;

void pomp_agreement_start(const char *directory) { own_directory = directory; }

/* In the job's directory. */
static bool name_path(char path[PATH_MAX], const char *name) {
  const char *own = strrchr(own_directory, '/');
  int length = (int)(own - own_directory);
  int written = snprintf(path, PATH_MAX, "%.*s/" FOLDER "/%s", length, own_directory, name);
  return written > 0 && written < PATH_MAX;
}

static bool read_link(const char *name, char *text, size_t size) {
  char path[PATH_MAX];
  ssize_t length = name_path(path, name) ? sys_readlink(path, text, size - 1) : -1;
  text[length > 0 ? length : 0] = '\0';
  return length > 0;
}

static bool write_link(const char *name, const char *text) {
  char path[PATH_MAX];
  return name_path(path, name) && sys_symlink(text, path) == 0;
}

static void add(struct assembly *all, const char *name) {
  char text[LINE];
  int rank, processes;
  if (*name == '.' || !strcmp(name, AGREED) || all->count == all->most ||
      !read_link(name, text, sizeof text) || sscanf(text, "%d %d", &rank, &processes) != 2)
    return;
  unsigned at = all->count++;
  for (; at && all->ranks[at - 1] > rank; at--)
    all->ranks[at] = all->ranks[at - 1];
  all->ranks[at] = rank;
  all->processes += processes;
  all->is_known = all->is_known && processes > 0;
}

/* A network's file system shows a directory as it is to who has just changed it. */
static void refresh(int rank) {
  char path[PATH_MAX], name[LINE];
  snprintf(name, sizeof name, ".%d", rank);
  if (name_path(path, name) && sys_mkdir(path, 0777) == 0)
    sys_rmdir(path);
}

static void look(struct assembly *all, int rank) {
  _Alignas(struct entry) char entries[4096];
  char path[PATH_MAX];
  long length;
  refresh(rank);
  int fd = name_path(path, "") ? sys_open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0) : -1;
  all->count = 0;
  all->processes = 0;
  all->is_known = true;
  while (fd >= 0 && (length = sys_entries(fd, entries, sizeof entries)) > 0)
    for (long at = 0; at < length; at += ((const struct entry *)(entries + at))->length)
      add(all, ((const struct entry *)(entries + at))->name);
  if (fd >= 0)
    sys_close(fd);
}

static void wait_for(struct assembly *all, int rank, int size) {
  char agreed[MOST_AGREED];
  uint64_t since = pomp_clock_nanoseconds(), nap = NAP;
  for (unsigned there = 0;; nap += nap < MOST_NAP ? nap / 2 : 0) {
    look(all, rank);
    if (all->count > there)
      since = pomp_clock_nanoseconds();
    there = all->count;
    if ((all->is_known && all->processes >= size) || read_link(AGREED, agreed, sizeof agreed) ||
        pomp_clock_nanoseconds() - since >= LONGEST)
      return;
    sys_nap(nap);
  }
}

/* The first proposal is everybody's. */
static void propose(const struct assembly *all) {
  char text[MOST_AGREED] = "none";
  size_t length = 0;
  for (unsigned i = 0; i < all->count && length + LINE < sizeof text; i++)
    length += (size_t)snprintf(text + length, LINE, "%d ", all->ranks[i]);
  write_link(AGREED, text);
}

static unsigned among(char *text, int rank, int ranks[], unsigned most) {
  char *at = text;
  unsigned count = 0;
  bool is_among = false;
  for (char *end; count < most; at = end, count++) {
    ranks[count] = (int)strtol(at, &end, 10);
    if (end == at)
      break;
    is_among = is_among || ranks[count] == rank;
  }
  return is_among ? count : 0;
}

/* Nothing can be written any more: whoever saw the process has proposed by then. */
static void withdraw(const char *name) {
  char path[PATH_MAX];
  if (name_path(path, name))
    sys_unlink(path);
  sys_nap(LONGEST);
}

unsigned pomp_agree(const struct pomp_candidate *own, int size, int ranks[], unsigned most) {
  char path[PATH_MAX], text[LINE], agreed[MOST_AGREED];
  struct assembly all = {.ranks = ranks, .most = most};
  if (!own_directory || !name_path(path, ""))
    return 0;
  sys_mkdir(path, 0777);
  snprintf(text, sizeof text, "%d %d", own->rank, own->speaks_for);
  if (!write_link(own->name, text))
    return 0;
  wait_for(&all, own->rank, size);
  propose(&all);
  if (!read_link(AGREED, agreed, sizeof agreed)) {
    withdraw(own->name);
    read_link(AGREED, agreed, sizeof agreed);
  }
  return among(agreed, own->rank, ranks, most);
}
