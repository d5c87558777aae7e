/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/mapped_file.h"

#include "system/syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Growing past the limit would raise SIGXFSZ. */
static bool may_reach(uint64_t end) {
  struct rlimit limit;
  errno = EFBIG;
  return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
         limit.rlim_cur >= end;
}

/* Another thread may have made the file longer meanwhile: it never becomes shorter. */
static bool reach(int fd, uint64_t end) {
  return lseek(fd, (off_t)(end - 1), SEEK_SET) >= 0 && sys_write(fd, "", 1) == 1;
}

/* A hole that the disk cannot fill would raise SIGBUS: that is met here, before anything is
 * mapped. */
static bool reserve(int fd, uint64_t from, uint64_t size) {
  if (!may_reach(from + size))
    return false;
  int error = posix_fallocate(fd, (off_t)from, (off_t)size);
  if (error == EOPNOTSUPP || error == EINVAL)
    error = reach(fd, from + size) ? 0 : errno;
  errno = error;
  return error == 0;
}

char *pomp_mapped_file_grow(int fd, uint64_t from, uint64_t size, int flags) {
  if (!reserve(fd, from, size))
    return NULL;
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | flags, fd, (off_t)from);
  return memory == MAP_FAILED ? NULL : memory;
}

static bool is_same(const struct stat *status, const struct pomp_mapped_file *extent) {
  return status->st_dev == extent->device && status->st_ino == extent->inode;
}

bool pomp_mapped_file_note(int fd, struct pomp_mapped_file *extent) {
  struct stat status;
  if (fstat(fd, &status) != 0)
    return false;
  extent->device = status.st_dev;
  extent->inode = status.st_ino;
  return true;
}

int pomp_mapped_file_open(const char *path, const struct pomp_mapped_file *extent) {
  struct stat status;
  int fd = sys_open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0);
  if (fd < 0 || (fstat(fd, &status) == 0 && is_same(&status, extent)))
    return fd;
  sys_close(fd);
  errno = ESTALE;
  return -1;
}

void pomp_mapped_file_cut(const char *path, const struct pomp_mapped_file *extent, uint64_t size) {
  struct stat status;
  if (lstat(path, &status) == 0 && is_same(&status, extent) && sys_truncate(path, (off_t)size) != 0)
    errno = 0; /* the file stays longer than it need be */
}

bool pomp_write_all(int fd, const char *from, uint64_t size) {
  while (size) {
    ssize_t written = sys_write(fd, from, size);
    if (written < 0 && errno != EINTR)
      return false;
    from += written > 0 ? written : 0;
    size -= written > 0 ? (uint64_t)written : 0;
  }
  return true;
}
